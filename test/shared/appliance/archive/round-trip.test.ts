// What an appliance has, in an archive and back: on an empty one it is the same, and an archive of that has the same bytes.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encryptAge } from '../../../../shared/ground/age/age.ts';
import { systemEntropy } from '../../../../shared/ground/clock.ts';
import { furnish } from '../../../setup/furnish.ts';
import { House, LINKS } from '../../../setup/house.ts';
import { ALL, bytesOf, membersOf, ofSchema, restore, reworded, tarOf, whole } from './scene.ts';

let house: House;
let bytes: Buffer;
const opened: House[] = [];
const another = async (options = {}): Promise<House> => {
  const made = await House.open(options);
  opened.push(made);
  return made;
};

beforeAll(async () => {
  house = await another();
  await furnish(house, await house.actor());
  bytes = await bytesOf(house, true);
});
afterAll(async () => {
  for (const each of opened) await each.close();
});

test('a whole state comes back on an empty appliance, and its archive has the same bytes', async () => {
  const empty = await another();
  // Left by a process that was killed; no process has an id that high.
  mkdirSync(join(empty.data, 'archives/scratch-4194999-abcdef'), { recursive: true });
  const restored = await restore(empty, bytes);
  expect(restored.differences.map(({ collection }) => collection)).toEqual(
    expect.arrayContaining(['vault_entries', 'interfaces', 'dns_records', 'dhcp_scopes', 'network_boot_hosts']),
  );
  expect((await bytesOf(empty, true)).equals(bytes)).toBe(true);
  // The scratch database and the copy are gone, and what was left.
  expect(readdirSync(join(empty.data, 'archives'))).toEqual([]);
  expect((await restore(empty, bytes)).differences).toEqual([]);
  const { store } = empty.services;
  expect(await store.all('PRAGMA foreign_key_check')).toEqual([]);
});

test('one that is encrypted comes back with its passphrase, and with no other', async () => {
  const empty = await another();
  const pieces: Buffer[] = [];
  for await (const piece of encryptAge([bytes], { passphrase: 'of the test', log_n: 10 }, systemEntropy)) {
    pieces.push(piece);
  }
  const sealed = Buffer.concat(pieces);
  const wrong = restore(empty, sealed, ALL, { passphrase: 'another' });
  await expect(wrong).rejects.toMatchObject({ members: { errors: [{ pointer: '/passphrase' }] } });
  await restore(empty, sealed, ALL, { passphrase: 'of the test' });
  expect((await bytesOf(empty, true)).equals(bytes)).toBe(true);
});

test('without encryption nothing that holds a secret is in it, and it says what is left out', async () => {
  const members = await membersOf(await bytesOf(house, false));
  expect([...members.keys()].filter((name) => name.startsWith('sealed/'))).toEqual([]);
  const text = [...members.values()].join('');
  const secrets = [...(await membersOf(bytes))].flatMap(([name, lines]) =>
    name.startsWith('sealed/')
      ? lines
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as { secret?: unknown; password_hash?: string })
      : [],
  );
  const canaries = secrets.flatMap(({ secret, password_hash }) => [secret, password_hash]).filter(Boolean);
  expect(canaries.length).toBeGreaterThan(5);
  for (const canary of canaries) {
    for (const value of typeof canary === 'object' ? Object.values(canary!) : [canary]) {
      expect(text.includes(JSON.stringify(value).slice(1, -1))).toBe(false);
    }
  }
  expect((JSON.parse(members.get('manifest.json')!) as { excluded: string[] }).excluded).toEqual(
    expect.arrayContaining(['Vaults', 'Vault entries', 'Kickstarts', 'Root certificates']),
  );
});

test('an adapter that has another name here is found by its MAC address, and what names it follows', async () => {
  const links = LINKS.map((link) => (link.name === 'ens224' ? { ...link, name: 'eth7' } : link));
  const other = await another({ links });
  await restore(other, bytes);
  const { store } = other.services;
  const [row] = await store.all<{ role: string; ipv4_cidr: string }>(
    "SELECT role, ipv4_cidr FROM interface WHERE name = 'eth7'",
  );
  expect(row).toEqual({ role: 'access', ipv4_cidr: '192.168.10.2/24' });
  const named = await store.one<{ document: string }>("SELECT document FROM unit_settings WHERE unit = 'dns-dhcp'");
  const document = JSON.parse(named!.document) as { listen_interfaces: string[]; listen_addresses: string[] };
  expect(document.listen_interfaces).toEqual(['eth7', 'ens256.20']);
  expect(document.listen_addresses).toContain('192.168.10.2');
});

describe('what is chosen', () => {
  const records = { unit: 'dns-dhcp', collections: [{ collection: 'dns_records' }] };

  test('records without their zones are refused, and named', async () => {
    const empty = await another();
    const before = await bytesOf(empty, true);
    await expect(restore(empty, bytes, { mode: 'merge', units: [records] })).rejects.toMatchObject({
      members: {
        blockers: expect.arrayContaining([
          expect.objectContaining({ subject: expect.stringMatching(/^DNS records: /) }),
        ]),
      },
    });
    expect((await bytesOf(empty, true)).equals(before)).toBe(true);
  });

  test('zones alone bring their zones alone', async () => {
    const empty = await another();
    const zones = { unit: 'dns-dhcp', collections: [{ collection: 'dns_zones' }] };
    const { differences } = await restore(empty, bytes, { mode: 'replace', units: [zones] });
    expect(differences.map(({ collection, rows }) => [collection, rows.length])).toEqual([['dns_zones', 2]]);
  });

  test('merge removes nothing, add-only touches nothing that is there, replace makes it the same', async () => {
    const other = await another();
    const admin = await other.actor();
    await restore(other, bytes);
    const send = (method: string, path: string, body?: unknown) =>
      other.send(method, path, { token: admin.token, body });
    const { body: source } = await send('POST', '/api/v1/ntp/sources', { address: 'only-here.lab.test' });
    const [kept] = (await send('GET', '/api/v1/ntp/sources')).body.items;
    await send('PATCH', `/api/v1/ntp/sources/${kept.id}`, { description: 'Edited here' });
    const units = [{ unit: 'ntp' }];
    const sources = async () => (await send('GET', '/api/v1/ntp/sources')).body.items;
    expect((await restore(other, bytes, { mode: 'add-only', units })).differences).toEqual([]);
    await restore(other, bytes, { mode: 'merge', units });
    const merged = await sources();
    expect(merged.map(({ id }: { id: string }) => id)).toContain(source.id);
    expect(merged.find(({ id }: { id: string }) => id === kept.id).description).toBe(kept.description);
    await restore(other, bytes, { mode: 'replace', units });
    expect((await bytesOf(other, true)).equals(bytes)).toBe(true);
  });

  test('an id that another row has is given up, and what refers to the row follows', async () => {
    const other = await another();
    const admin = await other.actor();
    const { body: zone } = await other.send('POST', '/api/v1/dns/zones', {
      token: admin.token,
      body: { name: 'lab.example' },
    });
    const { body: mine } = await other.send('POST', '/api/v1/dns/zones', {
      token: admin.token,
      body: { name: 'mine.test' },
    });
    const members = await membersOf(bytes);
    const [theirs] = members
      .get('desired/dns_zone.jsonl')!
      .split('\n')
      .filter((line) => line.includes('in-addr.arpa'));
    const { id } = JSON.parse(theirs!) as { id: string };
    await other.services.store.write((tx) => tx.run('UPDATE dns_zone SET id = ? WHERE id = ?', [id, mine.id]));
    const units = [{ unit: 'dns-dhcp', collections: [{ collection: 'dns_zones' }, { collection: 'dns_records' }] }];
    await restore(other, bytes, { mode: 'merge', units });
    const rows = await other.services.store.all<{ id: string; name: string }>(
      'SELECT id, name FROM dns_zone ORDER BY name',
    );
    expect(rows.map(({ name }) => name)).toEqual(['20.16.172.in-addr.arpa', 'lab.example', 'mine.test']);
    expect(rows.find(({ name }) => name === 'lab.example')!.id).toBe(zone.id);
    expect(rows.find(({ name }) => name === 'mine.test')!.id).toBe(id);
    expect(await other.services.store.all('PRAGMA foreign_key_check')).toEqual([]);
  });
});

describe('what is not whole is refused, and nothing is saved', () => {
  const refusedBy = async (broken: Buffer, detail: RegExp): Promise<void> => {
    const empty = opened[1]!;
    const before = await bytesOf(empty, true);
    await expect(restore(empty, broken)).rejects.toThrow(detail);
    expect((await bytesOf(empty, true)).equals(before)).toBe(true);
  };

  test('a cut, and a flipped bit, wherever it is', async () => {
    await refusedBy(bytes.subarray(0, bytes.length - 700), /can’t be read/);
    for (let at = 5; at < bytes.length; at += Math.floor(bytes.length / 40)) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1;
      await refusedBy(flipped, /can’t be read/);
    }
  });

  test('a flipped bit in any text of its manifest, also one that nothing else depends on', async () => {
    const manifest = (await membersOf(bytes)).get('manifest.json')!;
    for (const text of ['"host_name":"gc01', '"created_by":"admin', '"created_at":"2026', '"program":"0', '"rows":']) {
      expect(manifest).toContain(text);
      const flipped = Buffer.from(bytes);
      flipped[bytes.indexOf(manifest) + manifest.indexOf(text) + text.length - 1]! ^= 1;
      await refusedBy(flipped, /can’t be read/);
    }
    for (const nothing of ['null', '7', '[]']) {
      await refusedBy(await tarOf(new Map([['manifest.json', nothing]])), /not that of an archive/);
    }
  });

  test('a member of another archive, one too few, and one that no manifest names', async () => {
    const members = await membersOf(bytes);
    const zones = 'desired/dns_zone.jsonl';
    await refusedBy(await tarOf(new Map(members).set(zones, '')), /not that of the manifest/);
    const fewer = new Map(members);
    fewer.delete(zones);
    await refusedBy(await tarOf(fewer), /is not the one that the manifest names/);
    const more = new Map([...members, ['sealed/zzz.jsonl', '']] as [string, string][]);
    await refusedBy(await tarOf(more), /is not the one that the manifest names/);
  });

  test('one that a later release wrote says which', async () => {
    const members = await membersOf(bytes);
    const manifest = JSON.parse(members.get('manifest.json')!) as { schema: number; program: string };
    const later = members.get('manifest.json')!.replace(`"schema":${manifest.schema}`, '"schema":999');
    await refusedBy(
      await tarOf(new Map(members).set('manifest.json', whole(later))),
      /version 0\.0\.0-test.*Update the appliance/,
    );
  });
});

describe('archives of earlier releases', () => {
  test('rows go through the migrations that they have not seen', async () => {
    // Before schema 15 an empty list of clients let everybody in.
    const old = await reworded(await ofSchema(bytes, 14), {
      member: 'desired/storage_datastore.jsonl',
      edit: (lines) => lines.replaceAll(/"ipv4_clients":\[[^\]]*\]/g, '"ipv4_clients":[]'),
    });
    const empty = await another();
    await restore(empty, old);
    const rows = await empty.services.store.all<{ ipv4_clients: string }>(
      "SELECT ipv4_clients FROM storage_datastore WHERE address_families LIKE '%ipv4%'",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ ipv4_clients }) => ipv4_clients))).toEqual(new Set(['["any"]']));
  });

  test.each([
    ['a role that was retired is what it became', 'services', 'access'],
    ['a role that no release knew is refused', 'gateway', null],
  ])('%s', async (_what, said, becomes) => {
    const old = await reworded(bytes, {
      member: 'desired/interface.jsonl',
      edit: (lines) => lines.replaceAll('"role":"access"', `"role":"${said}"`),
    });
    const empty = await another();
    if (becomes === null) {
      await expect(restore(empty, old)).rejects.toThrow(/a role that no release knew/);
      return;
    }
    await restore(empty, old);
    const row = await empty.services.store.one<{ role: string }>("SELECT role FROM interface WHERE name = 'ens224'");
    expect(row!.role).toBe(becomes);
  });

  test('one without a management listener is refused', async () => {
    const without = await reworded(bytes, {
      member: 'desired/interface.jsonl',
      edit: (lines) => lines.replaceAll('"role":"management"', '"role":"unused"'),
    });
    const empty = await another();
    await expect(restore(empty, without)).rejects.toMatchObject({ code: 'no_management_listener' });
  });

  test('a value that no save would take is refused, and its row is named', async () => {
    const wrong = await reworded(bytes, {
      member: 'desired/dns_zone.jsonl',
      edit: (lines) => lines.replace('"description":"The management domain"', `"description":"${'x'.repeat(5000)}"`),
    });
    const empty = await another();
    await expect(restore(empty, wrong)).rejects.toThrow(/^DNS zones: lab\.example stands in the way\. description: /);
  });

  test('records whose zone is not in it are refused', async () => {
    const wrong = await reworded(bytes, {
      member: 'desired/dns_zone.jsonl',
      edit: (lines) => lines.replaceAll('"id":"', '"id":"other_'),
    });
    const empty = await another();
    await expect(restore(empty, wrong)).rejects.toThrow('names another that is not in it.');
  });
});
