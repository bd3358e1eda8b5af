import { test } from '@jest/globals';
import { House } from '../setup/house.ts';
test('measure', async () => {
  const house = await House.open({});
  const admin = await house.actor('admin');
  const t = { token: admin.token };
  const out: string[] = [];
  const z = await house.send('POST', '/api/v1/dns/zones', { ...t, body: { name: 'lab.test' } });
  const bulk = (n: number, zone = 'lab.test') => ({ records: Array.from({ length: 1000 }, (_, i) => ({ fqdn: `h${n}-${i}.${zone}`, type: i % 10 ? 'A' : 'TXT', value: i % 10 ? `10.${n}.${i >> 8}.${(i & 255)||1}` : `text ${n} ${i}` })) });
  const ms: number[] = [];
  for (let n = 0; n < 100; n++) { const s = performance.now(); await house.send('POST', '/api/v1/dns/records/bulk', { ...t, body: bulk(n) }); ms.push(performance.now() - s); }
  out.push(`bulk 1000: first ${ms[0]!.toFixed(0)} median ${ms.sort((a, b) => a - b)[50]!.toFixed(0)} max ${ms[99]!.toFixed(0)} ms`);
  const time = async (name: string, work: () => Promise<unknown>) => { const all: number[] = []; for (let i = 0; i < 9; i++) { const s = performance.now(); await work(); all.push(performance.now() - s); } all.sort((a,b)=>a-b); out.push(`${name}: ${all[4]!.toFixed(1)} ms (max ${all[8]!.toFixed(1)})`); };
  let k = 0;
  await time('create one', () => house.send('POST', '/api/v1/dns/records', { ...t, body: { fqdn: `n${k++}.lab.test`, type: 'A', value: '10.0.0.1' } }));
  await time('create alias', () => house.send('POST', '/api/v1/dns/records', { ...t, body: { fqdn: `a${k++}.lab.test`, type: 'CNAME', value: 'n1.lab.test' } }));
  const one = (await house.send('GET', '/api/v1/dns/records?fqdn=n1.lab.test', t)).body.items[0];
  await time('patch one', () => house.send('PATCH', `/api/v1/dns/records/${one.id}`, { ...t, body: { value: `10.0.1.${++k}` } }));
  await time('csv', () => house.send('GET', `/ui/management/dns/zones/${z.body.id}/records.csv`, { session: admin }));
  process.stdout.write(out.join('\n') + '\n');
  await house.close();
}, 240000);
