"""A task is unique in its study by its content; pool, group and batch belong to the place.

Tasks and generated texts of earlier releases get a placeholder. The next load of their study computes their content, so
that the newest version keeps its tasks (see `studies.actions.adoption`).
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("store", "0002_counted_answers")]

    operations = [
        migrations.AddField("studyversion", "contents", models.JSONField(default=dict)),
        migrations.AddField(
            "studyversion", "same_meaning", models.CharField(blank=True, default="", max_length=2000)
        ),
        migrations.AddField("studyversion", "change", models.JSONField(default=dict)),
        migrations.AddField("batch", "condition_wanted", models.JSONField(default=dict)),
        migrations.AddField("place", "closing", models.BooleanField(db_default=False, default=False)),
        migrations.AddField("task", "content", models.CharField(max_length=64, default="")),
        migrations.AddField("context", "recipe", models.CharField(max_length=64, default="")),
        migrations.RunSQL(
            [
                "UPDATE task SET content = 'legacy:' || id",
                "UPDATE context SET recipe = 'legacy:' || version_id",
                """UPDATE batch SET condition_wanted = w.wanted FROM (
                     SELECT batch_id, jsonb_object_agg(condition, n) AS wanted
                     FROM (SELECT batch_id, condition, count(*) AS n FROM place GROUP BY 1, 2) p GROUP BY 1) w
                   WHERE w.batch_id = batch.id""",
                # Otherwise the changes of columns below would wait for the rows changed above.
                "SET CONSTRAINTS ALL IMMEDIATE",
            ],
            migrations.RunSQL.noop,
        ),
        migrations.AlterField("task", "content", models.CharField(max_length=64)),
        migrations.AlterField("context", "recipe", models.CharField(max_length=64)),
        migrations.RemoveConstraint("place", "place_once"),
        migrations.RemoveConstraint("context", "context_once"),
        migrations.RemoveField("task", "version"),
        migrations.RemoveField("task", "batch"),
        migrations.RemoveField("task", "pool"),
        migrations.RemoveField("task", "design"),
        migrations.RemoveField("task", "rank"),
        migrations.AddConstraint(
            "task", models.UniqueConstraint(models.F("study"), models.F("content"), name="task_once")
        ),
        migrations.AddConstraint(
            "place",
            models.UniqueConstraint(
                models.F("task"),
                models.F("pool"),
                models.F("rater_group"),
                models.F("ordinal"),
                name="place_once",
            ),
        ),
        migrations.AddConstraint(
            "context",
            models.UniqueConstraint(
                models.F("item"), models.F("kind"), models.F("recipe"), name="context_once"
            ),
        ),
    ]
