// A guest's browser at the public listener, without script: cookies, forms and redirects over a real socket.
import type { House } from '../../setup/house.ts';

export interface Shown {
  status: number;
  location: string | null;
  type: string;
  text: string;
  /** Without tags. */
  words: string;
}

export class Visitor {
  readonly #origin: string;
  readonly cookies = new Map<string, string>();

  constructor(house: House) {
    const { host, port } = house.appliance.public!;
    this.#origin = `http://${host}:${port}`;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Shown> {
    return this.#ask('GET', path, { headers });
  }

  /** Posts fields with the token that the page of the form has. */
  async post(page: string, action: string, fields: Record<string, string>, file?: Blob): Promise<Shown> {
    const csrf = /name="csrf" value="([^"]+)"/.exec((await this.get(page)).text)?.[1] ?? '';
    return this.send(action, { csrf, ...fields }, file);
  }

  send(action: string, fields: Record<string, string>, file?: Blob, origin = this.#origin): Promise<Shown> {
    const body = file ? new FormData() : new URLSearchParams(fields);
    if (file) {
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      (body as FormData).append('csr_file', file, 'request.der');
    }
    return this.#ask('POST', action, { body, headers: { origin } });
  }

  signIn(username: string, password: string): Promise<Shown> {
    return this.post('/ui/public/sign-in', '/ui/public/sign-in', { username, password });
  }

  async #ask(method: string, path: string, { headers, body }: { headers: object; body?: BodyInit }): Promise<Shown> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(this.#origin + path, {
      method,
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie !== '' && { cookie }), ...headers },
      ...(body && { body }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split('=');
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await answer.text();
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      type: answer.headers.get('content-type') ?? '',
      text,
      words: text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
    };
  }
}
