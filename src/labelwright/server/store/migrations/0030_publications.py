"""Publications on platforms, the visits that platforms list, and the events that they send."""

import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

FOREIGN_KEYS = [
    foreign_key("publication", "publication_pool_id_fk", "pool_id", "pool"),
    foreign_key("platform_visit", "platform_visit_publication_id_fk", "publication_id", "publication"),
]


class Migration(migrations.Migration):
    """The tables start empty."""

    atomic = False
    dependencies = [
        ('store', '0029_model_raters'),
    ]

    operations = [
        migrations.CreateModel(
            name='PlatformEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('platform', models.CharField(max_length=20)),
                ('event', models.CharField(max_length=80)),
                ('received_at', models.DateTimeField()),
            ],
            options={
                'db_table': 'platform_event',
                'indexes': [models.Index(models.F('received_at'), name='platform_event_by_age')],
                'constraints': [models.UniqueConstraint(models.F('platform'), models.F('event'), name='platform_event_once')],
            },
        ),
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('platform', models.CharField(max_length=20)),
                ('external_id', models.CharField(blank=True, default='', max_length=80)),
                ('state', models.CharField(default='made', max_length=10)),
                ('places', models.PositiveIntegerField()),
                ('tasks', models.PositiveIntegerField()),
                ('minutes', models.FloatField()),
                ('cents', models.PositiveBigIntegerField()),
                ('currency', models.CharField(max_length=3)),
                ('cost_cents', models.PositiveBigIntegerField()),
                ('ways_back', models.JSONField(default=dict)),
                ('step', models.PositiveIntegerField(db_default=0, default=0)),
                ('made_by', models.CharField(max_length=150)),
                ('made_at', models.DateTimeField()),
                ('status', models.CharField(blank=True, default='', max_length=40)),
                ('is_open', models.BooleanField(db_default=False, default=False)),
                ('offered', models.PositiveIntegerField(db_default=0, default=0)),
                ('read_at', models.DateTimeField(null=True)),
                ('next_at', models.DateTimeField(null=True)),
                ('pool', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.pool')),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'publication',
            },
        ),
        migrations.CreateModel(
            name='PlatformVisitRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_hmac', models.BinaryField(max_length=32)),
                ('state', models.CharField(max_length=10)),
                ('code', models.CharField(blank=True, default='', max_length=20)),
                ('began_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('changed_at', models.DateTimeField()),
                ('settled_by', models.CharField(blank=True, default='', max_length=150)),
                ('settled_at', models.DateTimeField(null=True)),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
                ('publication', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.publication')),
            ],
            options={
                'db_table': 'platform_visit',
            },
        ),
        migrations.AddIndex(
            model_name='publication',
            index=models.Index(models.F('next_at'), condition=models.Q(('next_at__isnull', False)), name='publication_due'),
        ),
        migrations.AddIndex(
            model_name='publication',
            index=models.Index(models.F('pool'), name='publication_of_pool'),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.UniqueConstraint(models.F('study'), models.F('number'), name='publication_once'),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.UniqueConstraint(models.F('pool'), models.F('study'), condition=models.Q(models.Q(('state', 'stopped'), _negated=True), models.Q(('state', 'refused'), _negated=True)), name='publication_one_live'),
        ),
        migrations.AddIndex(
            model_name='platformvisitrow',
            index=models.Index(models.F('publication'), name='platform_visit_of'),
        ),
        migrations.AddConstraint(
            model_name='platformvisitrow',
            constraint=models.UniqueConstraint(models.F('study'), models.F('session_hmac'), name='platform_visit_once'),
        ),
        PutStudyIntoKeys(),
        *(migrations.RunSQL(key, migrations.RunSQL.noop) for key in FOREIGN_KEYS),
    ]
