-- The role and the database of Labelwright. Run as a superuser of PostgreSQL; the role itself has no privileges.
CREATE ROLE labelwright LOGIN;
-- Limits for statements that set none of their own: nothing waits or holds locks for ever.
ALTER ROLE labelwright SET statement_timeout = '5min';
ALTER ROLE labelwright SET lock_timeout = '30s';
ALTER ROLE labelwright SET idle_in_transaction_session_timeout = '2min';
CREATE DATABASE labelwright OWNER labelwright ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE labelwright FROM PUBLIC;
