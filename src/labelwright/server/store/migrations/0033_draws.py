"""Draws: how probable it is that people rate an item, and whether a draw sent it to them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """No draw was made before, so the columns start empty."""

    dependencies = [
        ("store", "0032_assignment_slots"),
    ]

    operations = [
        migrations.AddField(model_name="itemrow", name="people_chance", field=models.FloatField(null=True)),
        migrations.AddField(model_name="itemrow", name="chance_at", field=models.DateTimeField(null=True)),
        migrations.AddField(
            model_name="itemrow", name="drawn", field=models.BooleanField(db_default=False, default=False)
        ),
    ]
