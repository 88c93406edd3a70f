"""Payments: intents, the ledger, budgets, payment runs and calls to platforms."""

import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

FOREIGN_KEYS = [
    foreign_key("payment", "payment_rater_id_fk", "rater_id", "rater"),
    foreign_key("payment", "payment_assignment_id_fk", "assignment_id", "assignment"),
    foreign_key("payment", "payment_batch_id_fk", "batch_id", "batch"),
    foreign_key("payment", "payment_run_id_fk", "run_id", "payment_run"),
    foreign_key("payment", "payment_call_id_fk", "call_id", "platform_call"),
    foreign_key("ledger_line", "ledger_line_payment_id_fk", "payment_id", "payment"),
    foreign_key("payment_budget", "payment_budget_batch_id_fk", "batch_id", "batch"),
    foreign_key("payment_budget", "payment_budget_rater_id_fk", "rater_id", "rater"),
]
# Only the deletion of a study that paid nobody may remove lines; see `labelwright.server.studies.queries.deletion`.
APPEND_ONLY = """
CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND coalesce(current_setting('labelwright.ledger', true), '') = 'removable' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'lines of the ledger cannot be changed or deleted';
END $$;
CREATE OR REPLACE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_line
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
"""


class Migration(migrations.Migration):
    """The tables start empty. Payments of work that is owed are planned by the next payment run."""

    atomic = False
    dependencies = [("store", "0026_releases")]

    operations = [
        migrations.CreateModel(
            name='PaymentRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('platform', models.CharField(max_length=20)),
                ('made_by', models.CharField(max_length=150)),
                ('made_at', models.DateTimeField()),
                ('listed_at', models.DateTimeField(null=True)),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'payment_run',
            },
        ),
        migrations.CreateModel(
            name='PlatformCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=160)),
                ('platform', models.CharField(max_length=20)),
                ('kind', models.CharField(max_length=40)),
                ('request', models.JSONField(default=dict)),
                ('state', models.CharField(default='planned', max_length=10)),
                ('lease_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('said', models.CharField(blank=True, default='', max_length=300)),
                ('facts', models.JSONField(default=dict)),
                ('made_at', models.DateTimeField()),
                ('sent_at', models.DateTimeField(null=True)),
                ('settled_at', models.DateTimeField(null=True)),
                ('next_at', models.DateTimeField()),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'platform_call',
            },
        ),
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=160)),
                ('code', models.CharField(max_length=19)),
                ('kind', models.CharField(max_length=12)),
                ('platform', models.CharField(max_length=20)),
                ('cents', models.PositiveBigIntegerField()),
                ('fee_cents', models.PositiveBigIntegerField(default=0)),
                ('currency', models.CharField(max_length=3)),
                ('reason', models.CharField(blank=True, default='', max_length=500)),
                ('state', models.CharField(default='planned', max_length=10)),
                ('round', models.PositiveSmallIntegerField(default=0)),
                ('made_at', models.DateTimeField()),
                ('changed_at', models.DateTimeField()),
                ('assignment', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='store.assignment')),
                ('batch', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='store.batch')),
                ('rater', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.rater')),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
                ('run', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, to='store.paymentrun')),
                ('call', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, to='store.platformcall')),
            ],
            options={
                'db_table': 'payment',
            },
        ),
        migrations.CreateModel(
            name='LedgerLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(max_length=10)),
                ('cents', models.PositiveBigIntegerField()),
                ('fee_cents', models.PositiveBigIntegerField()),
                ('currency', models.CharField(max_length=3)),
                ('who', models.CharField(max_length=150)),
                ('why', models.CharField(blank=True, default='', max_length=60)),
                ('at', models.DateTimeField()),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
                ('payment', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to='store.payment')),
            ],
            options={
                'db_table': 'ledger_line',
                'constraints': [models.UniqueConstraint(models.F('payment'), models.F('study'), condition=models.Q(('state', 'confirmed')), name='ledger_line_paid_once'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'reversed'), _negated=True), models.Q(models.Q(('who', ''), _negated=True), models.Q(('why', ''), _negated=True)), _connector='OR'), name='ledger_line_reason')],
            },
        ),
        migrations.CreateModel(
            name='PaymentBudget',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scope', models.CharField(choices=[('study', 'Study'), ('batch', 'Batch'), ('rater', 'Rater')], max_length=5)),
                ('currency', models.CharField(max_length=3)),
                ('limit_cents', models.PositiveBigIntegerField(null=True)),
                ('committed_cents', models.PositiveBigIntegerField(db_default=0, default=0)),
                ('batch', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='store.batch')),
                ('rater', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='store.rater')),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'payment_budget',
                'indexes': [models.Index(models.F('batch'), condition=models.Q(('batch__isnull', False)), name='payment_budget_of_batch'), models.Index(models.F('rater'), condition=models.Q(('rater__isnull', False)), name='payment_budget_of_rater')],
                'constraints': [models.UniqueConstraint(fields=('study', 'scope', 'currency', 'batch', 'rater'), name='payment_budget_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('limit_cents', None), ('committed_cents__lte', models.F('limit_cents')), _connector='OR'), name='payment_budget_kept')],
            },
        ),
        migrations.AddConstraint(
            model_name='paymentrun',
            constraint=models.UniqueConstraint(models.F('study'), models.F('number'), name='payment_run_once'),
        ),
        migrations.AddIndex(
            model_name='platformcall',
            index=models.Index(models.F('next_at'), condition=models.Q(('settled_at__isnull', True)), name='platform_call_due'),
        ),
        migrations.AddConstraint(
            model_name='platformcall',
            constraint=models.UniqueConstraint(models.F('study'), models.F('key'), name='platform_call_once'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(models.F('study'), models.F('state'), models.F('id'), name='payment_by_state'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(models.F('rater'), name='payment_of_rater'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(models.F('assignment'), condition=models.Q(('assignment__isnull', False)), name='payment_of_assignment'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(models.F('batch'), condition=models.Q(('batch__isnull', False)), name='payment_of_batch'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(models.F('run'), condition=models.Q(('run__isnull', False)), name='payment_of_run'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(models.F('call'), condition=models.Q(('call__isnull', False)), name='payment_of_call'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.UniqueConstraint(models.F('study'), models.F('key'), name='payment_key_once'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.UniqueConstraint(models.F('study'), models.F('code'), name='payment_code_once'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.UniqueConstraint(models.F('assignment'), models.F('study'), condition=models.Q(('kind', 'task')), name='payment_task_once'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.UniqueConstraint(models.F('batch'), models.F('rater'), models.F('study'), condition=models.Q(('kind', 'batch_bonus')), name='payment_batch_once'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.CheckConstraint(condition=models.Q(('cents__gt', 0)), name='payment_of_something'),
        ),
        PutStudyIntoKeys(),
        *(migrations.RunSQL(statement, migrations.RunSQL.noop) for statement in FOREIGN_KEYS),
        migrations.RunSQL(
            APPEND_ONLY, "DROP TRIGGER ledger_append_only ON ledger_line; DROP FUNCTION refuse_ledger_change()"
        ),
    ]
