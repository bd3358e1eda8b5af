// Answers of a management server that means harm: what is read of them is bounded, in time and in memory, and what they
// repeat of a password is in no message.
import { expect, test } from '@jest/globals';
import { parseXml } from '../../../../shared/ground/xml/parse.ts';
import { readSync } from '../../../../shared/vcf/vcf-api/depot.ts';
import { machinesNamed, readInventory } from '../../../../shared/vcf/vsphere/inventory.ts';
import { openVsphere, type VsphereSession } from '../../../../shared/vcf/vsphere/session.ts';
import { ANSWER_RULES } from '../../../../shared/vcf/vsphere/soap.ts';
import { growth, NEARLY_LINEAR, NEARLY_LINEAR_16 } from '../../../setup/growth.ts';

const SECRET = 'Hunter2SecretPassword';
const val = (name: string, value: string) => `<propSet><name>${name}</name>${value}</propSet>`;
const object = (type: string, id: string, ...values: string[]) =>
  `<objects><obj type="${type}">${id}</obj>${values.join('')}</objects>`;

/** A session whose inventory comes page by page; null ends it. */
function session(page: (turn: number) => string | null): VsphereSession {
  let turn = 0;
  const ref = { type: 'X', id: 'x' };
  const services = { viewManager: ref, rootFolder: ref, propertyCollector: ref };
  const call = async ({ method }: { method: string }) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (method === 'CreateContainerView')
      return parseXml('<R><returnval type="ContainerView">v</returnval></R>', ANSWER_RULES);
    const objects = /Retrieve/.test(method) && !/Cancel/.test(method) ? page(turn++) : null;
    return parseXml(`<R><returnval>${objects ?? ''}</returnval></R>`, ANSWER_RULES);
  };
  return { kind: 'vcenter', about: {}, services, call, label: (text: string) => text } as unknown as VsphereSession;
}

test('folders within folders cost no more each, however deep they are', async () => {
  const nested = async (depth: number) => {
    const folders = Array.from({ length: depth }, (_none, at) =>
      object(
        'Folder',
        `g${at}`,
        val('name', '<val>n</val>'),
        val('parent', `<val type="${at ? 'Folder' : 'Datacenter'}">${at ? `g${at - 1}` : 'dc'}</val>`),
        val('childType', '<val><string>VirtualMachine</string></val>'),
      ),
    );
    await readInventory(session(() => [object('Datacenter', 'dc'), ...folders].join(''))).catch(() => null);
  };
  expect(await growth(nested, 250, 16)).toBeLessThan(NEARLY_LINEAR_16);
}, 300_000);

test('port groups that all of 64 hosts see cost no more each, however many they are', async () => {
  const seen = async (count: number) => {
    const refs = Array.from({ length: count }, (_none, at) => `<M type="Network">n${at}</M>`).join('');
    const hosts = Array.from({ length: 64 }, (_none, at) =>
      object('HostSystem', `h${at}`, val('network', `<val>${refs}</val>`)),
    );
    const groups = Array.from({ length: count }, (_none, at) =>
      object('Network', `n${at}`, val('name', `<val>n${at}</val>`)),
    );
    await readInventory(session(() => [...groups, ...hosts].join('')));
  };
  expect(await growth(seen, 125)).toBeLessThan(NEARLY_LINEAR);
}, 300_000);

test('folders in a circle, or deeper than anybody has them, are left out; the others are there', async () => {
  const folder = (id: string, parent: string) =>
    object(
      'Folder',
      id,
      val('name', `<val>${id}</val>`),
      val('parent', `<val type="${parent === 'dc' ? 'Datacenter' : 'Folder'}">${parent}</val>`),
      val('childType', '<val><string>VirtualMachine</string></val>'),
    );
  const deep = Array.from({ length: 300 }, (_none, at) => folder(`d${at}`, at ? `d${at - 1}` : 'dc')).reverse();
  const page = [...deep, folder('a', 'b'), folder('b', 'a'), object('Datacenter', 'dc'), folder('good', 'dc')].join('');
  const { folders } = await readInventory(session(() => page));
  expect(folders).toHaveLength(64);
  expect(folders.at(-1)).toMatchObject({ id: 'good', datacenter_id: 'dc' });
  for (const { path } of folders) expect(path.length).toBeLessThan(1300);
});

test('one object thousands of times over costs no more each time, however much there is of it', async () => {
  const repeated = async (count: number) => {
    const many = Array.from({ length: count }, (_none, at) => val(`p${at}`, '<val>x</val>'));
    const page = object('VirtualMachine', 'vm', ...many) + object('VirtualMachine', 'vm').repeat(count);
    await readInventory(session(() => page));
  };
  expect(await growth(repeated, 2500)).toBeLessThan(NEARLY_LINEAR);
}, 300_000);

test('pages that bring nothing new are not asked for for ever', async () => {
  let pages = 0;
  const asked = machinesNamed(
    session(() => (++pages > 20_000 ? null : '<token>again</token>')),
    'sddc01',
  );
  await expect(asked).rejects.toMatchObject({ code: 'remote_answer_unusable' });
  expect(pages).toBeLessThan(2000);
}, 300_000);

test('what is kept of all pages together is bounded', async () => {
  let pages = 0;
  const name = 'x'.repeat(4_000_000);
  const asked = machinesNamed(
    session(() =>
      ++pages > 60
        ? null
        : `<token>t</token>${object('VirtualMachine', `vm-${pages}`, val('name', `<val>${name}</val>`))}`,
    ),
    'sddc01',
  );
  await expect(asked).rejects.toMatchObject({ code: 'remote_answer_unusable' });
}, 300_000);

test('the type of a fault and its privilege repeat no password', async () => {
  const envelope = (inside: string) =>
    Buffer.from(
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${inside}</s:Body></s:Envelope>`,
    );
  const names = ['rootFolder', 'propertyCollector', 'viewManager', 'sessionManager', 'ovfManager'];
  const refs = names.map((name) => `<${name} type="X">x</${name}>`).join('');
  const about = '<about><name>vc</name><version>8.0.1</version><apiType>VirtualCenter</apiType></about>';
  const content = `<RetrieveServiceContentResponse><returnval>${refs}${about}</returnval></RetrieveServiceContentResponse>`;
  const fault = `<s:Fault><detail><${SECRET}Fault><privilegeId>${SECRET}</privilegeId></${SECRET}Fault></detail></s:Fault>`;
  const request = async ({ body }: { body?: unknown }) =>
    String(body).includes('<RetrieveServiceContent')
      ? { status: 200, headers: {}, body: envelope(content) }
      : { status: 500, headers: {}, body: envelope(fault) };
  const opened = openVsphere({ request } as never, { username: 'root', password: SECRET });
  const { message } = await opened.then(
    () => ({ message: 'no fault' }),
    (error: Error) => error,
  );
  expect(message).toMatch(/refused/);
  expect(message).not.toContain(SECRET);
});

test('the state of a synchronisation and its time repeat no depot password', async () => {
  const said = { syncStatus: SECRET, errorMessage: SECRET, lastSyncCompletionTimestamp: SECRET };
  const ask = async () => ({
    status: 200,
    headers: {},
    clean: (text: string) => text,
    body: Buffer.from(JSON.stringify(said)),
  });
  const read = await readSync({ ask } as never, undefined, { secrets: [SECRET] });
  expect(JSON.stringify(read).toLowerCase()).not.toContain(SECRET.toLowerCase());
});
