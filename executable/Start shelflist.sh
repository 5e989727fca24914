#!/bin/sh
# Serves the catalogue in the folder of this file, and opens its page. If it is served already, only the page opens.
cd "$(dirname "$0")" && ./shelflist init --if-missing && {
  ./shelflist serve --open &
  trap 'kill $!; exit' HUP # The window is closed, which the service would take for a reload.
  wait $! || ./shelflist open && exit
}
echo 'Press Enter to close this window.'
read -r _
