"""Models as raters: their requests, and the budgets of their pools."""

import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

FOREIGN_KEYS = [
    foreign_key("model_budget", "model_budget_pool_id_fk", "pool_id", "pool"),
    foreign_key("model_call", "model_call_pool_id_fk", "pool_id", "pool"),
    foreign_key("model_call", "model_call_assignment_id_fk", "assignment_id", "assignment"),
]


class Migration(migrations.Migration):
    """The tables start empty. The new purpose of a batch needs no change of the database."""

    atomic = False
    dependencies = [("store", "0028_arrivals")]

    operations = [
        migrations.AlterField(
            model_name='batch',
            name='purpose',
            field=models.CharField(choices=[('collect', 'Collect'), ('qualify', 'Qualify'), ('judge', 'Judge')], db_default='collect', default='collect', max_length=10),
        ),
        migrations.CreateModel(
            name='ModelBudget',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('limit_microcents', models.BigIntegerField(null=True)),
                ('committed_microcents', models.BigIntegerField(default=0)),
                ('structured', models.BooleanField(default=True)),
                ('not_before', models.DateTimeField(null=True)),
                ('refused', models.PositiveIntegerField(default=0)),
                ('agreed_by', models.CharField(max_length=150)),
                ('agreed_at', models.DateTimeField()),
                ('figures', models.JSONField(null=True)),
                ('figures_at', models.DateTimeField(null=True)),
                ('pool', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.pool')),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'model_budget',
                'constraints': [models.CheckConstraint(condition=models.Q(('limit_microcents', None), ('committed_microcents__lte', models.F('limit_microcents')), _connector='OR'), name='model_within_budget'), models.UniqueConstraint(models.F('pool'), models.F('study'), name='model_budget_once')],
            },
        ),
        migrations.CreateModel(
            name='ModelCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempt', models.PositiveIntegerField()),
                ('prompt', models.JSONField()),
                ('model', models.CharField(max_length=200)),
                ('parameters', models.JSONField()),
                ('state', models.CharField(choices=[('asked', 'Asked'), ('answered', 'Answered'), ('lost', 'Lost')], max_length=10)),
                ('raw', models.TextField(default='')),
                ('problems', models.JSONField(default=list)),
                ('tokens_in', models.PositiveIntegerField(null=True)),
                ('tokens_out', models.PositiveIntegerField(null=True)),
                ('microcents', models.BigIntegerField()),
                ('asked_at', models.DateTimeField()),
                ('answered_at', models.DateTimeField(null=True)),
                ('assignment', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.assignment')),
                ('pool', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.pool')),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'model_call',
                'indexes': [models.Index(models.F('pool'), models.F('state'), name='model_call_of_pool')],
                'constraints': [models.UniqueConstraint(models.F('assignment'), models.F('attempt'), models.F('study'), name='model_call_once')],
            },
        ),
        PutStudyIntoKeys(),
        *(migrations.RunSQL(statement, migrations.RunSQL.noop) for statement in FOREIGN_KEYS),
    ]
