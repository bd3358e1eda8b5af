// kill -9 at every statement of issuing and revoking: no certificate without its row and its audit row, no revocation without
// the list that says so, and the next life goes on from there.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listAuthorities } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { AuthorityScene } from '../setup/authority-scene.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';
import { plainRequest } from '../setup/signing-request.ts';

let program: string;
let folder: string;
let request: string;

beforeAll(async () => {
  program = await bundleProgram('test/faults/certificate-program.ts');
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-certificate-kill-'));
  request = join(folder, 'request.pem');
  writeFileSync(request, plainRequest().csr);
  const scene = await AuthorityScene.open(folder);
  scene.now = new Date();
  await scene.root();
  await scene.side.store.close();
}, 120_000);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(program, '..'), { recursive: true, force: true });
});

async function kept() {
  const { side } = await AuthorityScene.open(folder);
  const rows = await side.store.all<{ id: string; serial_number: string; revoked_at: string | null }>(
    'SELECT id, serial_number, revoked_at FROM issued_certificate ORDER BY rowid',
  );
  const audit = await side.store.all<{ action: string; resource_id: string }>(
    "SELECT action, resource_id FROM audit_event WHERE action LIKE 'certificate.%' ORDER BY seq",
  );
  const [root] = await listAuthorities(side.store);
  await side.store.close();
  const of = (action: string) => audit.filter((row) => row.action === action).map(({ resource_id }) => resource_id);
  return { rows, root: root!, issued: of('certificate.issue'), revoked: of('certificate.revoke') };
}

function serialsOf(crl: string): string[] {
  const input = Buffer.from(crl, 'base64');
  const text = execFileSync('openssl', ['crl', '-inform', 'DER', '-noout', '-text'], { input, encoding: 'utf8' });
  return [...text.matchAll(/Serial Number: ([0-9A-F]+)/g)].map(([, serial]) => serial!);
}

test('at every statement', async () => {
  const said = { answered: [] as string[], revoked: [] as string[] };
  let killed = 0;
  for (let fatal = 1; ; fatal++) {
    const ended = await startProgram(program, [folder, request, String(fatal)]).ended;
    for (const kind of ['answered', 'revoked'] as const)
      said[kind].push(...ended.lines.filter((line) => line.startsWith(kind)).map((line) => line.split(' ')[1]!));
    const { rows, root, issued, revoked } = await kept();
    expect(issued).toEqual(rows.map(({ id }) => id));
    expect(issued).toEqual(expect.arrayContaining(said.answered));
    expect(revoked).toEqual(rows.filter(({ revoked_at }) => revoked_at !== null).map(({ id }) => id));
    expect(revoked).toEqual(expect.arrayContaining(said.revoked));
    expect(root.crl_number).toBe(revoked.length);
    const listed = root.crl_der === '' ? [] : serialsOf(root.crl_der);
    expect(listed).toEqual(rows.filter(({ id }) => revoked.includes(id)).map(({ serial_number }) => serial_number));
    if (ended.lines.includes('done')) break;
    expect({ fatal, signal: ended.signal, stderr: ended.stderr }).toEqual({ fatal, signal: 'SIGKILL', stderr: '' });
    killed++;
  }
  // BEGIN, the rows with their audit rows, and COMMIT, twice.
  expect(killed).toBeGreaterThanOrEqual(8);
}, 600_000);
