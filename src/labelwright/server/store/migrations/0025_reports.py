"""Analysis plans, themes of what raters wrote, and reports."""

import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

FOREIGN_KEYS = [
    foreign_key("analysis_plan", "analysis_plan_version_id_fk", "version_id", "study_version"),
    foreign_key("theme_mark", "theme_mark_theme_id_fk", "theme_id", "theme"),
    foreign_key("theme_mark", "theme_mark_assignment_id_fk", "assignment_id", "assignment"),
]
# A plan that can be changed later proves nothing. It is deleted only together with its study.
NEVER_CHANGED = """
CREATE OR REPLACE FUNCTION refuse_plan_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a registered analysis plan cannot be changed';
END $$;
CREATE OR REPLACE TRIGGER analysis_plan_never_changed BEFORE UPDATE ON analysis_plan
  FOR EACH ROW EXECUTE FUNCTION refuse_plan_change();
"""


class Migration(migrations.Migration):
    """The tables start empty: a plan that was loaded before this release was not registered."""

    atomic = False
    dependencies = [("store", "0024_review")]

    operations = [
        migrations.CreateModel(
            name='StudyReport',
            fields=[
                ('study', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to='store.studyrow')),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('making', 'Making'), ('ready', 'Ready'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('asked_by', models.CharField(max_length=150)),
                ('asked_at', models.DateTimeField()),
                ('step', models.CharField(blank=True, default='', max_length=80)),
                ('error', models.TextField(blank=True, default='')),
                ('made_at', models.DateTimeField(null=True)),
                ('judgments', models.PositiveBigIntegerField(default=0)),
                ('basis', models.JSONField(default=dict)),
            ],
            options={
                'db_table': 'study_report',
            },
        ),
        migrations.CreateModel(
            name='Theme',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('made_by', models.CharField(max_length=150)),
                ('made_at', models.DateTimeField()),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'theme',
            },
        ),
        migrations.CreateModel(
            name='ThemeMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('question', models.CharField(max_length=160)),
                ('marked_by', models.CharField(max_length=150)),
                ('marked_at', models.DateTimeField()),
                ('assignment', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.assignment')),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
                ('theme', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.theme')),
            ],
            options={
                'db_table': 'theme_mark',
            },
        ),
        migrations.CreateModel(
            name='PlanRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('canonical', models.TextField(blank=True, default='')),
                ('sha256', models.CharField(blank=True, default='', max_length=64)),
                ('registered_at', models.DateTimeField()),
                ('ratings_before', models.PositiveBigIntegerField()),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
                ('version', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyversion')),
            ],
            options={
                'db_table': 'analysis_plan',
                'constraints': [models.UniqueConstraint(models.F('version'), models.F('study'), name='analysis_plan_once')],
            },
        ),
        migrations.CreateModel(
            name='ReportFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('content', models.BinaryField()),
                ('bytes', models.PositiveIntegerField()),
                ('study', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='store.studyrow')),
            ],
            options={
                'db_table': 'report_file',
                'constraints': [models.UniqueConstraint(models.F('study'), models.F('name'), name='report_file_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='theme',
            constraint=models.UniqueConstraint(models.F('study'), models.F('name'), name='theme_once'),
        ),
        migrations.AddIndex(
            model_name='thememark',
            index=models.Index(models.F('assignment'), name='theme_mark_of_assignment'),
        ),
        migrations.AddConstraint(
            model_name='thememark',
            constraint=models.UniqueConstraint(models.F('theme'), models.F('assignment'), models.F('position'), models.F('question'), models.F('study'), name='theme_mark_once'),
        ),
        PutStudyIntoKeys(),
        *(migrations.RunSQL(statement, migrations.RunSQL.noop) for statement in FOREIGN_KEYS),
        migrations.RunSQL(
            NEVER_CHANGED,
            "DROP TRIGGER analysis_plan_never_changed ON analysis_plan; DROP FUNCTION refuse_plan_change()",
        ),
    ]
