"""Lines of the audit log outlive their study and cannot be changed; API tokens of users."""

import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

# Deletions that privacy demands say so; see `labelwright.server.access.actions.audit.lines_removable`.
APPEND_ONLY = """
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('labelwright.audit', true), '') <> 'removable' THEN
    RAISE EXCEPTION 'lines of the audit log cannot be changed or deleted';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
"""


class Migration(migrations.Migration):
    """Not atomic, because the index is built while raters work."""

    atomic = False
    dependencies = [("store", "0016_team")]

    operations = [
        migrations.AlterField(
            "audit",
            "study",
            models.ForeignKey(
                db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, to="store.studyrow"
            ),
        ),
        AddIndexConcurrently("audit", models.Index(models.F("study"), models.F("id"), name="audit_of_study")),
        migrations.RunSQL(
            APPEND_ONLY, "DROP TRIGGER audit_append_only ON audit; DROP FUNCTION refuse_audit_change()"
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("name", models.CharField(max_length=80)),
                ("token_hash", models.BinaryField(max_length=32, unique=True)),
                ("ending", models.CharField(max_length=4)),
                ("scopes", models.JSONField()),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"db_table": "api_token"},
        ),
    ]
