// External providers whose endpoints are at another origin than their issuer, as those of large ones are: who is asked, and who is not.
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import type { FakeProviderOptions } from '../../fakes/openid-provider.ts';
import { makeCertificate } from '../../fakes/tls-target.ts';
import { ExternalScene, UI } from '../../setup/external-scene.ts';

const HOME = `${UI}/interfaces`;
const authorities = getCACertificates('default');

let scene: ExternalScene | undefined;
afterEach(async () => {
  setDefaultCACertificates(authorities);
  await scene?.close();
  scene = undefined;
});

async function signIn(endpoints: FakeProviderOptions['endpoints']) {
  scene = await ExternalScene.open({}, { ...(endpoints && { endpoints }) });
  // What the ID token says nothing of is asked from userinfo.
  scene.fake.spoil = ({ groups: _, ...claims }) => claims;
  const { status, headers, text } = await scene.browser().signIn(HOME);
  return { status, location: headers.location, text, elsewhere: scene.fake.elsewhere };
}

const ALL = ['GET /jwks', 'GET /me', 'POST /token'];

test('with the certificate that was confirmed for the issuer they are asked', async () => {
  const { status, location, elsewhere } = await signIn('same certificate');
  expect([status, location, elsewhere.toSorted()]).toEqual([303, HOME, ALL]);
  expect(scene!.fake.requests.filter((line) => /token|jwks|me$/.test(line))).toEqual([]);
});

test('with one that a trusted authority issued for their name they are asked, too', async () => {
  const certificate = makeCertificate({ names: 'IP:127.0.0.1' });
  setDefaultCACertificates([...authorities, certificate.cert]);
  const { status, location, elsewhere } = await signIn(certificate);
  expect([status, location, elsewhere.toSorted()]).toEqual([303, HOME, ALL]);
});

test('with one of nobody, or of a trusted authority for another name, nothing is sent to them', async () => {
  const other = makeCertificate({ names: 'DNS:other.lab.example' });
  setDefaultCACertificates([...authorities, other.cert]);
  for (const certificate of [makeCertificate(), other]) {
    const { status, text, elsewhere } = await signIn(certificate);
    expect([status, text.includes('is not the confirmed one'), elsewhere]).toEqual([409, true, []]);
    await scene!.close();
  }
  scene = undefined;
});

test.each(['https://169.254.169.254', 'https://[::1]:8443', 'https://0.0.0.0'] as const)(
  'at %s the rules for remote machines refuse them',
  async (origin) => {
    const { status, text } = await signIn(origin);
    expect([status, text.includes('No connection is made to')]).toEqual([409, true]);
  },
);

test('an address with a password in it is no endpoint', async () => {
  const { status, text } = await signIn('https://user:word@127.0.0.1');
  expect([status, text.includes('does not describe itself')]).toEqual([409, true]);
});
