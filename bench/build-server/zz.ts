import { rmSync, mkdirSync, readFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCK_JOB } from '/work/h16/bench/build-server/measures/firstSteps.ts';
import { Builds } from '/work/h16/bench/build-server/Builds.ts';
import { startService } from '/work/h16/bench/build-server/servers.ts';
const dir='/work/h16/.data/bench/stages'; rmSync(dir,{recursive:true,force:true}); mkdirSync(dir,{recursive:true});
rmSync('/tmp/s/h16/marks.txt',{force:true});
const server = await startService({directory:dir, executors:2, jobs:{clock:CLOCK_JOB}});
const builds=new Builds(server,'clock');
const rows: Record<string,number[]>={};
const order:string[]=[];
for(let n=1;n<=30;n++){
  rmSync('/tmp/s/h16/marks.txt',{force:true});
  const sent=await builds.trigger();
  await builds.succeeded(n);
  const [ns]=/^\d{19}$/m.exec(await builds.log(n))??[];
  const at=Number(ns)/1e6-sent;
  const marks=readFileSync('/tmp/s/h16/marks.txt','utf8').trim().split('\n').map(l=>{const i=l.lastIndexOf(' ');return [l.slice(0,i),Number(l.slice(i+1))-sent] as const});
  const seen=new Set<string>();
  for(const [name,t] of [...marks,['CLOCK',at] as const]){ if(seen.has(name))continue; seen.add(name); if(!rows[name]){rows[name]=[];order.push(name);} if(n>3) rows[name].push(t); }
  await sleep(150);
}
const p=(a:number[],q:number)=>a.sort((x,y)=>x-y)[Math.floor(a.length*q)]?.toFixed(1);
for(const name of order) console.log(name.padEnd(14),p(rows[name],.1),p(rows[name],.5),p(rows[name],.9),rows[name].length);
await builds.close(); await server.stop();
