import { startMongod, newDatabaseUrl } from './test/support/mongod.ts';
import { openStore } from './src/index.ts';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
const mongod = await startMongod(); if ('skip' in mongod) throw new Error(mongod.skip);
const info=(f:object,m:string)=>console.log(m,JSON.stringify(f));
const s = await openStore('file:/tmp/mill1',{logger:{info,warn:info,error:info}});
for (let i=1;i<=200000;i+=5000) await Promise.all(Array.from({length:5000},(_,k)=>s.update(i+k,{year:1+((i+k)%1900)},undefined,{batch:'change-of-many'})));
for (let i=500000;i<520000;i+=5000) await Promise.all(Array.from({length:5000},(_,k)=>s.delete(i+k,undefined,{batch:'delete-of-many'})));
await s.close(); console.log('changed');
const url = newDatabaseUrl(mongod);
rmSync('/tmp/mill3',{recursive:true,force:true});
for (const [a,b] of [['file:/tmp/mill1',url],[url,'file:/tmp/mill3']]) { const t=performance.now(); const r=spawnSync(process.execPath,['/work/wt/lead/dist/bin/shelflist.cjs','copy','env:A','env:B'],{env:{...process.env,A:a,B:b},encoding:'utf8'}); console.log(((performance.now()-t)/1000).toFixed(1),r.status,r.stderr.slice(-500)); }
await mongod.stop(); process.exit(0);
