"""Sessions that say whose they are, so that users see and end their own. Sessions that exist go on."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

MOVE = """
DO $$ BEGIN
  IF to_regclass('django_session') IS NOT NULL THEN
    INSERT INTO login_session (session_key, session_data, expire_date, browser)
    SELECT session_key, session_data, expire_date, '' FROM django_session;
    DROP TABLE django_session;
  END IF;
END $$
"""


class Migration(migrations.Migration):
    dependencies = [("store", "0012_frame")]

    operations = [
        migrations.CreateModel(
            name="LoginSession",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40, primary_key=True, serialize=False, verbose_name="session key"
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("browser", models.CharField(max_length=60, default="", blank=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("seen_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"db_table": "login_session", "verbose_name": "session", "verbose_name_plural": "sessions", "abstract": False},
        ),
        migrations.RunSQL(MOVE, migrations.RunSQL.noop, elidable=True),
    ]
