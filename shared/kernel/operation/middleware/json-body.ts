// Parses a body of JSON that has been read. In the place of @middy/http-json-body-parser, which takes two to three times as long
// (a function is called for each value), parses whatever depth is sent, takes a member that is there twice, and puts the body
// with its secrets into the error that it throws.
import { type GatewayEvent, textOf } from '../event.ts';
import { parseJson } from '../json-body.ts';
import type { Middleware } from '../request.ts';
import { BODY_LIMIT } from './body.ts';

export const jsonBody: Middleware = {
  before({ event, context: { state } }) {
    const { effect, form, binary, body } = state.spec;
    return effect === 'read' || form || binary || !body ? undefined : parse(event, state);
  },
};

/** Whoever waits for a turn holds the bytes, not the text beside them. */
async function parse(event: GatewayEvent, state: { body: unknown }): Promise<undefined> {
  if ((event.incoming?.taken?.length ?? event.body?.length ?? 0) > BODY_LIMIT) await turn();
  state.body = parseJson(textOf(event));
}

let before: Promise<void> = Promise.resolve();

/** Bulk is parsed one body a turn of the event loop: others are answered between two of them. */
function turn(): Promise<void> {
  before = before.then(() => new Promise((resolve) => setImmediate(resolve)));
  return before;
}
