// Signing keys are rotated while fifty clients hold tokens and work with them: none is refused what it has a right to.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Given, jsonOf, OidcFlow } from '../setup/oidc-flow.ts';
import { OidcScene, Visitor } from '../setup/oidc-scene.ts';
import { until } from '../setup/until.ts';

const CLIENTS = 50;
const SLOW = 300_000;

let scene: OidcScene;
let flow: OidcFlow;
/** With the refresh token that is good for the next use. */
interface Held extends Given {
  refresh: string;
}
let held: Held[];

beforeAll(async () => {
  scene = await OidcScene.open();
  flow = new OidcFlow(scene);
  const visitor = new Visitor(scene);
  held = [];
  for (let at = 0; at < CLIENTS; at += 1) {
    const client = await scene.register({ name: `Client ${at}`, refresh_tokens: true });
    const given = await flow.run(client, { visitor });
    held.push({ ...given, refresh: given.tokens.refresh_token });
  }
}, SLOW);
afterAll(() => scene?.close());

const signs = async () => (await flow.keys())[0]!.kid;
const kidOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid;

async function rotate(): Promise<void> {
  const next = (await flow.keys())[1]!.kid;
  await scene.api('POST', '/api/v1/oidc/signing-keys/rotate', {});
  await until(async () => (await signs()) === next);
}

test(
  'old and new tokens are good all the time, also to who keeps a copy of the published keys',
  async () => {
    const copy = await flow.keys();
    const [before, after] = [copy[0]!.kid, copy[1]!.kid];
    const refused: string[] = [];
    const signers = new Map<string, number>();
    let rounds = 0;
    let done = false;

    /** All that a client does with its tokens, once. */
    const round = async (mine: Held) => {
      const { client, tokens } = mine;
      const expected = async (what: string, holds: () => Promise<boolean>) => {
        const why = await holds().then(
          (held) => (held ? null : 'refused'),
          (error: Error) => error.message,
        );
        if (why !== null) refused.push(`${what} of ${client.client_id}: ${why}`);
      };
      const checked = (token: string, keys?: typeof copy) => flow.claims(token, client, keys).then(() => true);
      await expected('its first ID token', () => checked(mine.tokens.id_token));
      await expected('userinfo', async () => (await flow.userinfo(tokens.access_token)).status === 200);
      await expected('a silent sign-in with the ID token as a hint', async () => {
        const asked = flow.begin(client, { more: { prompt: 'none', id_token_hint: tokens.id_token } });
        const { at } = await mine.visitor.go(asked.address);
        const heard = await flow.redeem(asked, new URL(at).searchParams.get('code') ?? '');
        return heard.status === 200 && checked(jsonOf(heard).id_token, copy);
      });
      await expected('its refresh token', async () => {
        const heard = await flow.refresh(mine, mine.refresh);
        if (heard.status !== 200) return false;
        const next = jsonOf(heard);
        mine.refresh = next.refresh_token;
        const kid = kidOf(next.id_token);
        signers.set(kid, (signers.get(kid) ?? 0) + 1);
        return (await checked(next.id_token, copy)) && (await flow.userinfo(next.access_token)).status === 200;
      });
      rounds += 1;
    };
    const work = async (mine: Held) => {
      for (let last = false; ; ) {
        await round(mine);
        if (last) return;
        last = done;
      }
    };

    const all = Promise.all(held.map(work));
    await until(() => rounds >= CLIENTS);
    await rotate();
    done = true;
    await all;
    expect(refused).toEqual([]);
    // Else it would say nothing.
    expect([...signers.keys()].sort()).toEqual([before, after].sort());
    expect(signers.get(after)).toBeGreaterThanOrEqual(CLIENTS);
  },
  SLOW,
);

test('after a second rotation the first tokens are still checked by what is published', async () => {
  await rotate();
  for (const { client, tokens } of held) {
    await flow.claims(tokens.id_token, client);
    expect((await flow.userinfo(tokens.access_token)).status).toBe(200);
  }
});
