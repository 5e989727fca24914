#!/bin/sh
# A month of chores in a small library, all from the shell: import, remove duplicates, change many books,
# take a mistake back, edit in a spreadsheet, back up, restore. It works in a folder of its own, which it prints.
#
#   sh examples/chores.sh [PORT]     needs `shelflist` on the PATH, and a free port: 8080
#
# The script stops at the first command that fails: shelflist says with its exit status whether all was done.
set -eu

folder=$(mktemp -d)
cd "$folder"
echo "== in $folder"

# --- The service. With --json, it prints its address when it is ready.
shelflist init
echo "PORT=${1:-8080}" >>.env
start() {
  mkfifo started
  shelflist serve "$@" --json >started 2>>service.log &
  service=$!
  read -r line <started
  rm started
  echo "$line"
}
stop() {
  kill -TERM "$service"
  wait "$service" || true
}
start
trap 'kill -TERM "$service"' EXIT
shelflist health
shelflist login

# --- Week 1: the old lists come in. First look, then import; what cannot be read is kept in a file.
cat >reader.csv <<'CSV'
Book Id,Title,Author,Additional Authors,Year Published,Original Publication Year
4671,The Great Gatsby,F. Scott Fitzgerald,,2004,1925
1885,Pride and Prejudice,Jane Austen,,2000,1813
CSV
cat >cupboard.csv <<'CSV'
Titel;Verfasser;Erscheinungsjahr
Die Verwandlung;Franz Kafka;[1915]
Der Process;Franz Kafka;c1925
Emil und die Detektive;Erich Kästner;im Herbst
PRIDE AND PREJUDICE.;Jane Austen;1813
Pride and prejudice;Jane Austen;1813
CSV
echo '== import'
shelflist import reader.csv --dry-run
shelflist import reader.csv
# Exit status 1: some rows were left out. They are in left-out.csv, with the reason.
shelflist import cupboard.csv --rejects left-out.csv || test $? -eq 1
# Corrected, they come in.
sed 's/im Herbst/1929/' left-out.csv >corrected.csv
shelflist import corrected.csv

# --- Week 2: books that came in twice. Of each group, the oldest stays.
echo '== duplicates'
shelflist duplicates
shelflist duplicates --format csv | awk -F, '
  NR > 1 { ids[$1] = ids[$1] " " $2; n[$1]++ }
  END { for (group in ids) if (n[group] > 1) print ids[group] }
' >groups.txt
while read -r ids; do
  # shellcheck disable=SC2086 # one id after the other
  shelflist merge $ids --yes </dev/null
done <groups.txt

# --- Week 3: one change to many books; then a mistake, and the way back.
echo '== change and undo'
shelflist change --author 'Franz Kafka' --to-author 'Kafka, Franz' --dry-run
shelflist change --author 'Franz Kafka' --to-author 'Kafka, Franz' --yes
batch=$(shelflist change --all --to-year 1900 --yes --json |
  node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).batch')
shelflist undo "$batch" --yes

# --- Week 4: corrections in a spreadsheet. Here, sed is the spreadsheet: one year, and one new row without an id.
echo '== spreadsheet'
shelflist export books.csv --excel
sed 's/\(Der Process.*\),1925,/\1,1926,/' books.csv >edited.csv
printf ',Momo,Michael Ende,1973,\r\n' >>edited.csv
shelflist import edited.csv --match id --dry-run
shelflist import edited.csv --match id

# --- Every night: a backup, while the service runs. Once: the test that it can be restored.
echo '== backup and restore'
shelflist export before.csv
shelflist backup books.backup
stop
shelflist restore books.backup --database-url file:./restored
start --database-url file:./restored
shelflist login
shelflist export after.csv
cmp before.csv after.csv
shelflist list --sort author
echo '== done'
