"""The review of doubtful work: groups, cases, claims and disputes, and the time when a platform approves work."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

FOREIGN_KEYS = [
    foreign_key("review_group", "review_group_rater_id_fk", "rater_id", "rater"),
    foreign_key("review_case", "review_case_group_id_fk", "group_id", "review_group"),
    foreign_key("review_case", "review_case_assignment_id_fk", "assignment_id", "assignment"),
    foreign_key("review_case", "review_case_message_id_fk", "message_id", "message"),
    foreign_key("dispute", "dispute_assignment_id_fk", "assignment_id", "assignment"),
]


class Migration(migrations.Migration):
    """The tables start empty; a job fills the queue, study by study. The new column is null, so no row is rewritten."""

    atomic = False
    dependencies = [("store", "0023_rules")]

    operations = [
        migrations.AddField(
            model_name='assignment',
            name='decide_by',
            field=models.DateTimeField(null=True),
        ),
        migrations.CreateModel(
            name='CaseChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('assignment', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='store.assignment')),
                ('study', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'case_change',
            },
        ),
        migrations.CreateModel(
            name='ReviewGroup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('first', 'First'), ('second', 'Second'), ('difference', 'Difference'), ('dispute', 'Dispute')], default='first', max_length=10)),
                ('rule', models.CharField(blank=True, default='', max_length=40)),
                ('open', models.PositiveIntegerField(default=0)),
                ('weight', models.PositiveIntegerField(default=0)),
                ('decide_by', models.DateTimeField(null=True)),
                ('rater', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.rater')),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'review_group',
            },
        ),
        migrations.CreateModel(
            name='ReviewCase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('first', 'First'), ('second', 'Second'), ('difference', 'Difference'), ('dispute', 'Dispute')], default='first', max_length=10)),
                ('state', models.CharField(choices=[('open', 'Open'), ('decided', 'Decided'), ('closed', 'Closed')], default='open', max_length=10)),
                ('condition', models.CharField(max_length=40)),
                ('rules', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None)),
                ('weight', models.PositiveIntegerField(default=0)),
                ('decide_by', models.DateTimeField(null=True)),
                ('away_from', models.CharField(blank=True, default='', max_length=150)),
                ('claimed_by', models.CharField(blank=True, default='', max_length=150)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('decided_by', models.CharField(blank=True, default='', max_length=150)),
                ('decided_at', models.DateTimeField(null=True)),
                ('choice', models.CharField(blank=True, default='', max_length=10)),
                ('reason', models.CharField(blank=True, default='', max_length=2000)),
                ('decision', models.UUIDField(null=True)),
                ('before', models.JSONField(default=dict)),
                ('assignment', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.assignment')),
                ('message', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, to='store.message')),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
                ('group', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.reviewgroup')),
            ],
            options={
                'db_table': 'review_case',
            },
        ),
        migrations.CreateModel(
            name='Dispute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=1000)),
                ('at', models.DateTimeField()),
                ('assignment', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.assignment')),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'dispute',
                'constraints': [models.UniqueConstraint(models.F('assignment'), models.F('study'), name='dispute_once')],
            },
        ),
        migrations.AddIndex(
            model_name='reviewgroup',
            index=models.Index(models.F('study'), models.OrderBy(models.F('decide_by'), nulls_last=True), models.OrderBy(models.F('weight'), descending=True), models.F('id'), condition=models.Q(('open__gt', 0)), name='review_group_queue'),
        ),
        migrations.AddIndex(
            model_name='reviewgroup',
            index=models.Index(models.F('study'), models.F('kind'), models.F('rule'), models.F('open'), condition=models.Q(('open__gt', 0)), name='review_group_by_rule'),
        ),
        migrations.AddConstraint(
            model_name='reviewgroup',
            constraint=models.UniqueConstraint(models.F('rater'), models.F('kind'), models.F('rule'), models.F('study'), name='review_group_once'),
        ),
        migrations.AddIndex(
            model_name='reviewcase',
            index=models.Index(models.F('group'), models.OrderBy(models.F('decide_by'), nulls_last=True), models.OrderBy(models.F('weight'), descending=True), models.F('id'), condition=models.Q(('state', 'open')), name='review_case_open'),
        ),
        migrations.AddIndex(
            model_name='reviewcase',
            index=models.Index(models.F('study'), models.F('claimed_by'), condition=models.Q(('state', 'open'), models.Q(('claimed_by', ''), _negated=True)), name='review_case_held'),
        ),
        migrations.AddIndex(
            model_name='reviewcase',
            index=models.Index(models.F('study'), models.F('decided_by'), models.F('decided_at'), condition=models.Q(('state', 'decided')), name='review_case_decided'),
        ),
        migrations.AddIndex(
            model_name="reviewcase", index=models.Index(models.F("group"), name="review_case_of_group")
        ),
        migrations.AddIndex(
            model_name="reviewcase",
            index=models.Index(
                models.F("study"),
                models.F("decided_at"),
                condition=models.Q(("kind", "second"), ("state", "decided")),
                name="review_case_repeated",
            ),
        ),
        migrations.AddIndex(
            model_name='reviewcase',
            index=models.Index(models.F('decision'), condition=models.Q(('decision__isnull', False)), name='review_case_decision'),
        ),
        migrations.AddIndex(
            model_name='reviewcase',
            index=models.Index(models.F('message'), condition=models.Q(('message__isnull', False)), name='review_case_message'),
        ),
        migrations.AddConstraint(
            model_name='reviewcase',
            constraint=models.UniqueConstraint(models.F('assignment'), models.F('kind'), models.F('study'), name='review_case_once'),
        ),
        PutStudyIntoKeys(),
        *(migrations.RunSQL(statement, migrations.RunSQL.noop) for statement in FOREIGN_KEYS),
        migrations.RunSQL("INSERT INTO case_change (study_id) SELECT id FROM study", migrations.RunSQL.noop),
    ]
