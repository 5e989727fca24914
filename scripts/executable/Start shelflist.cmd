@echo off
rem Starts the catalogue, and opens its page. If it runs already, only opens the page.
cd /d "%~dp0"
chcp 65001 >nul
shelflist.exe start || pause
