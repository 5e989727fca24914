@echo off
rem Starts the service for the catalogue in this folder, and opens its page. If the service runs already, only opens the page.
cd /d "%~dp0"
shelflist.exe serve --init --open || shelflist.exe open || pause
