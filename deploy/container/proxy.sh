#!/bin/sh
# Starts nginx with the same site as on a server; addresses and logs are those of containers.
set -eu
sed -e "s/eval.example.org/${SERVER_NAME}/" \
  -e "s/127.0.0.1:8001/web1:8000/" -e "s/127.0.0.1:8002/web2:8000/" \
  -e "s#/var/log/nginx/labelwright.log#/dev/stdout#" -e "s#/var/log/nginx/labelwright-error.log#/dev/stderr#" \
  /etc/labelwright/site.conf > /tmp/labelwright.conf
exec nginx -c /etc/labelwright/nginx.conf -g "daemon off;"
