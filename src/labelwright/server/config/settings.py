"""Django settings, read only from environment variables. docs/reference/settings.md lists the variables."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from psycopg.conninfo import conninfo_to_dict

from labelwright.server.config.areas import job_modules
from labelwright.server.config.environment import Environment
from labelwright.server.config.static_address import static_address
from labelwright.task.questions import QUESTION_TYPES, folder_of

ENVIRONMENT = Environment.read(os.environ)

_SERVER = Path(__file__).parents[1]
_QUESTIONS = _SERVER.parent / "task" / "questions"
_TEMPLATES = sorted(_SERVER.glob("*/templates"))

SECRET_KEY = ENVIRONMENT.secret_key
SECRET_KEY_FALLBACKS = [key for key in [ENVIRONMENT.previous_secret_key] if key]
# The first key signs; links signed with the previous one still work.
LINK_KEYS = [key for key in [ENVIRONMENT.link_key, ENVIRONMENT.previous_link_key] if key]
PSEUDONYM_KEY = ENVIRONMENT.pseudonym_key
BASE_URL = ENVIRONMENT.base_url
DEMO = ENVIRONMENT.demo
EXPORT_FOLDER = ENVIRONMENT.export_folder

DEBUG = False
ALLOWED_HOSTS = ENVIRONMENT.allowed_hosts
ROOT_URLCONF = "labelwright.server.config.urls"
WSGI_APPLICATION = "labelwright.server.config.wsgi.application"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("it", "Italiano"), ("ar", "العربية")]
LOCALE_PATHS = [_SERVER / "web" / "locale"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "store.User"


GIVE_UP_EARLY = {
    "connect_timeout": 2,
    # Without these, a request would wait for minutes for a database machine that lost its power or its network.
    "tcp_user_timeout": 3000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
# The pool tries to connect less and less often, and would find out minutes later that the database is back. After
# `reconnect_timeout` it starts anew with the next request.
POOL_PATIENCE = {"timeout": 2, "reconnect_timeout": 2}


def _session_options(parts: dict[str, Any]) -> dict[str, Any]:
    if ENVIRONMENT.transaction_pooler:
        # Every transaction may get another session: it has not prepared our statements, and its settings are not
        # ours. The limits of the role apply.
        return {"prepare_threshold": None}
    return {
        # A URL can still set these itself, because the last option wins.
        "options": f"{ENVIRONMENT.limits.options()} {parts.get('options', '')}".strip(),
        # Django disables prepared statements; without a threshold, even `prepare=True` has no effect.
        "prepare_threshold": 1,
    }


def _connections() -> int:
    """Connections of a process: those of raters, and those of requesters, which raters never wait for."""
    return ENVIRONMENT.database_connections + ENVIRONMENT.requester_requests


def _database(url: str) -> dict[str, Any]:
    parts: dict[str, Any] = dict(conninfo_to_dict(url))
    return {
        "ENGINE": "labelwright.server.config.postgresql",
        "NAME": parts.pop("dbname", "labelwright"),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        # Django does not allow persistent connections together with a pool.
        "CONN_MAX_AGE": 0,
        "DISABLE_SERVER_SIDE_CURSORS": ENVIRONMENT.transaction_pooler,
        "OPTIONS": {
            **GIVE_UP_EARLY,
            **parts,
            **_session_options(parts),
            "pool": {"min_size": 1, "max_size": _connections(), **POOL_PATIENCE},
        },
    }


DATABASES = {"default": _database(ENVIRONMENT.database_url)}

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "csp",
    "procrastinate.contrib.django",
    "labelwright.server.store",
]

# Middleware of `labelwright.server.web.middleware` is skipped on raters' routes, except for the lanes.
MIDDLEWARE = [
    "labelwright.server.web.middleware.MeasurementMiddleware",
    "django.middleware.security.SecurityMiddleware",
    # Safe to compress: other sites cannot make a rater's browser request the page, as its address is secret.
    "django.middleware.gzip.GZipMiddleware",
    "labelwright.server.web.middleware.WhiteNoise",
    "labelwright.server.web.middleware.NotStored",
    "csp.middleware.CSPMiddleware",
    # After static files, which need no database, and before everything that does.
    "labelwright.server.web.middleware.Lanes",
    "labelwright.server.web.middleware.Sessions",
    "labelwright.server.web.middleware.Csrf",
    "labelwright.server.web.middleware.Authentication",
    "labelwright.server.web.middleware.Messages",
    # allauth requires this exact path in the list; on raters' routes the middleware does nothing.
    "allauth.account.middleware.AccountMiddleware",
    "labelwright.server.web.desk.times.ZoneMiddleware",
    # Resets the language after each request: a preview uses its study's language, the thread's next page may not.
    "labelwright.server.web.language.LanguageMiddleware",
    "labelwright.server.web.errors.pages.ErrorMiddleware",
    "labelwright.server.web.middleware.FailedLogins",
]

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
# Requesters get an account through `labelwright user add`; there is no public sign-up.
ACCOUNT_ADAPTER = "labelwright.server.access.views.ClosedAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_LOGOUT_ON_GET = False
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Labelwright"
MFA_ADAPTER = "labelwright.server.access.views.SealedSecondFactor"
MFA_FORMS = {
    "authenticate": "labelwright.server.access.views.LimitedAuthenticateForm",
    "reauthenticate": "labelwright.server.access.views.LimitedReauthenticateForm",
}
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/studies"
LOGOUT_REDIRECT_URL = "/accounts/login/"
# Axes counts failed logins in the database, across all processes. allauth would count them again in each
# process, and lock out a whole laboratory that shares one IP address. Attempts at a second factor are counted in
# the database too; see `access.actions.second_factor`.
ACCOUNT_RATE_LIMITS = {"login_failed": None, "login": "120/m/ip"}
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_VERBOSE = False
AXES_USERNAME_CALLABLE = "labelwright.server.access.views.login_name"
AXES_CLIENT_IP_CALLABLE = "labelwright.server.web.requests.client_address"
_SECURE = BASE_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _SECURE
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_ENGINE = "labelwright.server.access.actions.sessions"
SESSION_COOKIE_NAME = "labelwright_session"
CSRF_COOKIE_HTTPONLY = True
CSRF_TRUSTED_ORIGINS = [BASE_URL]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [*_TEMPLATES, _QUESTIONS],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "labelwright.server.access.pages.header",
            ],
            "builtins": ["labelwright.server.web.desk.tags"],
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                        "labelwright.server.web.question_files.QuestionLoader",
                    ],
                )
            ],
        },
    }
]

STATICFILES_DIRS = [_SERVER / "web" / "static"]
STATIC_URL = static_address(
    [
        *STATICFILES_DIRS,
        _QUESTIONS / "shared",
        *(folder_of(name) for name in sorted(QUESTION_TYPES)),
    ]
)
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "labelwright.server.web.question_files.QuestionFinder",
]
STATIC_ROOT = ENVIRONMENT.static_root
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
WHITENOISE_IMMUTABLE_FILE_TEST = r".*"

# Rater pages load nothing from other sites; `frame-ancestors` is set per pool.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
# Rater pages send `no-referrer`, because their address is a credential. On forms, that value would also make the
# browser omit the origin, which the CSRF check of the requester's pages needs.
SECURE_REFERRER_POLICY = "same-origin"
CSRF_FAILURE_VIEW = "labelwright.server.web.errors.pages.csrf_failure"
SECURE_CONTENT_TYPE_NOSNIFF = True
# Sent only over HTTPS. Other hosts of the domain are not ours to decide about.
SECURE_HSTS_SECONDS = 31_536_000 if _SECURE else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ENVIRONMENT.behind_proxy else None

MAIL_IS_SENT = ENVIRONMENT.mail is not None
if ENVIRONMENT.mail:
    EMAIL_HOST, EMAIL_PORT = ENVIRONMENT.mail.host, ENVIRONMENT.mail.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = ENVIRONMENT.mail.user, ENVIRONMENT.mail.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = (ENVIRONMENT.mail.encryption == kind for kind in ("tls", "ssl"))
    EMAIL_TIMEOUT = 10
    DEFAULT_FROM_EMAIL = ENVIRONMENT.mail.sender

# Well above the largest task a rater can submit; larger bodies are rejected before they are read.
DATA_UPLOAD_MAX_MEMORY_SIZE = 512_000
# Calls of the API that carry a corpus; a body is kept only if a token comes with it.
CORPUS_ROUTES = ("/api/v1/studies", "/api/v1/study-plans")
LARGEST_CORPUS_BODY = 16_000_000
FILE_UPLOAD_HANDLERS = ["labelwright.server.web.uploads.NoFiles"]

# Jobs are registered when their module is imported; each area may have one.
PROCRASTINATE_IMPORT_PATHS = job_modules()

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "labelwright.server.config.logs.JsonFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": ENVIRONMENT.log_level},
    "loggers": {
        "procrastinate": {"level": "WARNING"},
        # Repeats with a traceback what the worker logs when the database is away.
        "procrastinate.utils": {"level": "CRITICAL"},
        "httpx": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
        "axes": {"level": "WARNING"},
        # A rejected request is not a server error; it is in the access log.
        "django.request": {"level": "ERROR"},
    },
}
