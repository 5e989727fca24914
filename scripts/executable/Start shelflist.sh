#!/bin/sh
# Starts the catalogue, and opens its page. If it runs already, only opens the page.
cd "$(dirname "$0")" && ./shelflist start && exit
case "${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" in
  de*) echo 'Drücken Sie die Eingabetaste, um dieses Fenster zu schließen.' ;;
  es*) echo 'Pulse Intro para cerrar esta ventana.' ;;
  fr*) echo 'Appuyez sur Entrée pour fermer cette fenêtre.' ;;
  *) echo 'Press Enter to close this window.' ;;
esac
read -r _
