#!/bin/sh
# Starts the service for the catalogue in this folder, and opens its page. If the service runs already, only opens the page.
cd "$(dirname "$0")" && {
  ./shelflist serve --init --open &
  # Closing the window sends HUP, on which the service would only reload: end it instead.
  trap 'kill $!; exit' HUP
  wait $! || ./shelflist open && exit
}
echo 'Press Enter to close this window.'
read -r _
