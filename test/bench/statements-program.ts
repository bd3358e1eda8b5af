// Counts the statements of the two benchmarked requests, transaction control and authentication included; prints JSON.
import { counted, observe } from '../contract/budget.ts';
import { House } from '../setup/house.ts';

const house = await House.open({ observe });
const admin = await house.actor('admin');

async function count(method: string, body?: object): Promise<number> {
  const send = () =>
    house.send(method, '/api/v1/interfaces/physical/ens224', { token: admin.token, ...(body && { body }) });
  await send();
  const { heard, statements } = await counted(() =>
    house.send(method, '/api/v1/interfaces/physical/ens224', {
      token: admin.token,
      ...(body && { body: { mtu: 1401 } }),
    }),
  );
  if (heard.status !== 200) throw new Error(`${method} answered ${heard.status}`);
  return statements.length;
}

process.stdout.write(`${JSON.stringify({ GET: await count('GET'), PATCH: await count('PATCH', { mtu: 1400 }) })}\n`);
await house.close();
