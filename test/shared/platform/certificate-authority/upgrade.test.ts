// Roots and certificates of an older release: the newest root signs, those before it do not, and what was issued stays.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { MIGRATIONS } from '../../../../shared/ground/store/migrations/index.ts';
import { DATABASE_FILE, migrate } from '../../../../shared/ground/store/open-store.ts';

const ROOT = (id: string, kek: string) =>
  `INSERT INTO certificate_authority VALUES ('${id}', 'CN=${id}', 'pem', 'AA', '${id}', 'ecdsa-p256', '${kek}', '', '', '2026-01-01T00:00:00.000Z', '2036-01-01T00:00:00.000Z', 'ada', '2026-01-01T00:00:00.000Z');`;

test('the newest root signs, and what was issued belongs to a server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-ca-upgrade-'));
  const file = join(folder, DATABASE_FILE);
  await migrate(
    file,
    MIGRATIONS.findIndex(({ name }) => name === '0016-certificates'),
  );
  const older = new DatabaseSync(file);
  older.exec(`${ROOT('old', '')} ${ROOT('new', 'kek_1')}
    INSERT INTO issued_certificate VALUES ('cert_1', 'new', 'offline-depot', '["depot.lab.example"]', NULL, 'CN=depot',
      'pem', 'BB', 'c1', 'rsa-2048', 'kek_1', 'k', 'v', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', 'ada', 'x');`);
  older.close();
  await migrate(file);
  const newer = new DatabaseSync(file);
  const roots = newer.prepare('SELECT id, standing, path_length, crl_number FROM certificate_authority').all();
  const issued = newer.prepare('SELECT profile, revoked_at, sealed_value FROM issued_certificate').all();
  const profiles = newer.prepare('SELECT name, allowed_names FROM certificate_profile ORDER BY name').all();
  newer.close();
  rmSync(folder, { recursive: true, force: true });
  expect(roots).toMatchObject([
    { id: 'old', standing: 'former', path_length: 0, crl_number: 0 },
    { id: 'new', standing: 'signing', path_length: 0, crl_number: 0 },
  ]);
  expect(issued).toMatchObject([{ profile: 'server', revoked_at: null, sealed_value: 'v' }]);
  expect(profiles.map(({ name }) => name)).toEqual(['client', 'server', 'server-client', 'subordinate', 'vmware']);
  expect(new Set(profiles.map(({ allowed_names }) => allowed_names))).toEqual(new Set(['[]']));
});
