// Small descriptors that cost their reader far more than their size: refused, or read in no time.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OvaFault } from '../../../../shared/ground/ova/fault.ts';
import { indexOva } from '../../../../shared/ground/ova/index-ova.ts';
import { growth, NEARLY_LINEAR } from '../../../setup/growth.ts';
import { ova } from './parts.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-ova-cost-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = async (ovf: (xml: string) => string) => {
  const path = join(folder, 'box.ova');
  writeFileSync(path, ova({ ovf }));
  return indexOva(path).catch((error: unknown) => {
    if (error instanceof OvaFault) return null;
    throw error;
  });
};

test('a property type with a long run of blanks is not tried at each of them', async () => {
  const blanks = (count: number) => {
    const property = `<Property ovf:key="k" ovf:type="a(${' '.repeat(count)}x"/>`;
    return read((xml) =>
      xml.replace('</VirtualSystem>', `<ProductSection>${property}</ProductSection></VirtualSystem>`),
    );
  };
  expect(await growth(blanks, 10_000)).toBeLessThan(NEARLY_LINEAR);
});

test('a text to which many elements refer does not multiply', async () => {
  const strings = `<Strings xml:lang="en"><Msg ovf:msgid="m">${'m'.repeat(1_000_000)}</Msg></Strings>`;
  const options = Array.from(
    { length: 300 },
    (_none, n) => `<Configuration ovf:id="c${n}"><Label ovf:msgid="m"/><Description ovf:msgid="m"/></Configuration>`,
  ).join('');
  const pkg = await read((xml) =>
    xml
      .replace('<VirtualSystem ', `<DeploymentOptionSection>${options}</DeploymentOptionSection><VirtualSystem `)
      .replace('</Envelope>', `${strings}</Envelope>`),
  );
  const shown = pkg?.descriptor.deployment_options ?? [];
  const characters = shown.reduce((sum, { label, description }) => sum + label.length + description.length, 0);
  // Twice what a whole descriptor may have.
  expect(characters).toBeLessThan(4 * 2 ** 20);
});
