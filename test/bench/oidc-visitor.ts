// Visitors of the bench of OpenID Connect, in a process of their own: each has a session and goes from authorize over a code to a
// token again and again, over kept connections, until its time is over. Prints how many tokens came. Arguments: port, client, secret,
// visitors, milliseconds.
import { Agent, request } from 'node:https';

const [port, client_id, client_secret, visitors, milliseconds] = process.argv.slice(2);
const CALLBACK = 'https://app.lab.example/callback';
const agent = new Agent({ keepAlive: true, maxSockets: Number(visitors), rejectUnauthorized: false });
const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;

interface Heard {
  status: number;
  location: string;
  text: string;
}

function ask(cookies: Map<string, string>, path: string, form?: URLSearchParams): Promise<Heard> {
  const body = form?.toString();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, path, agent, method: body === undefined ? 'GET' : 'POST' },
        headers: {
          host: 'id.lab.example',
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(body !== undefined && {
            authorization: basic,
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': Buffer.byteLength(body),
          }),
        },
      },
      (response) => {
        for (const line of response.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '', text }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const asked = new URLSearchParams({
  ...{ client_id: client_id!, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid profile groups' },
  ...{ state: 'state', nonce: 'nonce' },
});

async function token(cookies: Map<string, string>): Promise<void> {
  let heard = await ask(cookies, `/identity/auth?${asked}`);
  for (let hops = 0; hops < 4 && !heard.location.startsWith(CALLBACK); hops += 1) {
    if (heard.location === '') throw new Error(`${heard.status} ${heard.text}`);
    const { pathname, search } = new URL(heard.location, 'https://id.lab.example');
    heard = await ask(cookies, pathname + search);
  }
  const code = new URL(heard.location).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
  const { status, text } = await ask(cookies, '/identity/token', new URLSearchParams(form));
  if (status !== 200 || !text.includes('id_token')) throw new Error(`${status} ${text}`);
}

let tokens = 0;
const jars = Array.from({ length: Number(visitors) }, () => new Map<string, string>());
// Signed in before the time is taken.
await Promise.all(jars.map(token));
const began = performance.now();
const end = began + Number(milliseconds);
await Promise.all(
  jars.map(async (cookies) => {
    while (performance.now() < end) {
      await token(cookies);
      tokens += 1;
    }
  }),
);
console.log(tokens / ((performance.now() - began) / 1000));
process.exit();
