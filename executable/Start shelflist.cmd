@echo off
rem Serves the catalogue in the folder of this file, and opens its page. If it is served already, only the page opens.
cd /d "%~dp0"
shelflist.exe init --if-missing && shelflist.exe serve --open || shelflist.exe open || pause
