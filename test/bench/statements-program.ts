// Counts the statements of the two benchmarked requests, transaction control and authentication included; prints JSON.
import { House } from '../setup/house.ts';

const counted: string[] = [];
const house = await House.open({ observe: (sql) => void counted.push(sql) });
const admin = await house.actor('admin');

async function count(method: string, body?: object): Promise<number> {
  const send = () =>
    house.send(method, '/api/v1/interfaces/physical/ens224', { token: admin.token, ...(body && { body }) });
  await send();
  counted.length = 0;
  const answer = await house.send(method, '/api/v1/interfaces/physical/ens224', {
    token: admin.token,
    ...(body && { body: { mtu: 1401 } }),
  });
  if (answer.status !== 200) throw new Error(`${method} answered ${answer.status}`);
  return counted.length;
}

process.stdout.write(`${JSON.stringify({ GET: await count('GET'), PATCH: await count('PATCH', { mtu: 1400 }) })}\n`);
await house.close();
