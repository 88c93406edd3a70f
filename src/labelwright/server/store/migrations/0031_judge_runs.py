"""Models as raters: declared versions of their instructions, and the requests of probes and versions."""

import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

FOREIGN_KEYS = [
    foreign_key("judge_version", "judge_version_pool_id_fk", "pool_id", "pool"),
    foreign_key("judge_run", "judge_run_pool_id_fk", "pool_id", "pool"),
    foreign_key("judge_run", "judge_run_version_id_fk", "version_id", "judge_version"),
    foreign_key("judge_trial", "judge_trial_run_id_fk", "run_id", "judge_run"),
    foreign_key("judge_trial", "judge_trial_item_id_fk", "item_id", "item"),
]


class Migration(migrations.Migration):
    """The tables start empty."""

    atomic = False
    dependencies = [("store", "0030_publications")]

    operations = [
        migrations.CreateModel(
            name='JudgeVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('change', models.CharField(max_length=200)),
                ('instructions', models.TextField()),
                ('digest', models.CharField(max_length=64)),
                ('author', models.CharField(max_length=150)),
                ('declared_at', models.DateTimeField()),
                ('pool', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.pool')),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'judge_version',
            },
        ),
        migrations.CreateModel(
            name='JudgeRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('items', models.PositiveIntegerField()),
                ('smallest', models.FloatField(null=True)),
                ('author', models.CharField(max_length=150)),
                ('agreed_at', models.DateTimeField()),
                ('figures', models.JSONField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('pool', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.pool')),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
                ('version', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='store.judgeversion')),
            ],
            options={
                'db_table': 'judge_run',
            },
        ),
        migrations.CreateModel(
            name='JudgeTrial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('condition', models.CharField(max_length=40)),
                ('changed', models.BooleanField()),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('state', models.CharField(choices=[('planned', 'Planned'), ('asked', 'Asked'), ('answered', 'Answered'), ('lost', 'Lost')], default='planned', max_length=10)),
                ('prompt', models.JSONField(null=True)),
                ('model', models.CharField(default='', max_length=200)),
                ('parameters', models.JSONField(null=True)),
                ('raw', models.TextField(default='')),
                ('codes', models.JSONField(null=True)),
                ('told', models.JSONField(default=list)),
                ('tokens_in', models.PositiveIntegerField(null=True)),
                ('tokens_out', models.PositiveIntegerField(null=True)),
                ('microcents', models.BigIntegerField(default=0)),
                ('asked_at', models.DateTimeField(null=True)),
                ('answered_at', models.DateTimeField(null=True)),
                ('item', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.itemrow')),
                ('run', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.judgerun')),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'judge_trial',
                'indexes': [models.Index(models.F('run'), models.F('state'), name='judge_trial_of_run'), models.Index(models.F('item'), name='judge_trial_of_item')],
                'constraints': [models.UniqueConstraint(models.F('run'), models.F('item'), models.F('changed'), models.F('attempt'), models.F('study'), name='judge_trial_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='judgeversion',
            constraint=models.UniqueConstraint(models.F('pool'), models.F('number'), models.F('study'), name='judge_version_number'),
        ),
        migrations.AddConstraint(
            model_name='judgeversion',
            constraint=models.UniqueConstraint(models.F('pool'), models.F('digest'), models.F('study'), name='judge_version_once'),
        ),
        migrations.AddIndex(
            model_name='judgerun',
            index=models.Index(models.F('pool'), name='judge_run_of_pool'),
        ),
        migrations.AddConstraint(
            model_name='judgerun',
            constraint=models.UniqueConstraint(models.F('version'), models.F('kind'), models.F('study'), name='judge_run_once'),
        ),
        PutStudyIntoKeys(),
        *(migrations.RunSQL(statement, migrations.RunSQL.noop) for statement in FOREIGN_KEYS),
    ]
