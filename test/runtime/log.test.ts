// What the log of the service never says, whatever a line is given.
import { expect, test } from '@jest/globals';
import { createLogger } from '../../runtime/log.ts';
import { systemClock } from '../../shared/ground/clock.ts';
import { LogTail } from '../../shared/kernel/operation/log-tail.ts';

const CANARY = 'canary-2b6e1';

test('values of keys that name a secret are masked, also those inside a list or an object', () => {
  const tail = new LogTail(systemClock);
  createLogger('INFO', '1', tail).info('a line', {
    headers: { cookie: ['a=b', `session=${CANARY}`], authorization: CANARY },
    secret: { value: CANARY },
    passphrase: CANARY,
    private_key: CANARY,
    'x-api-key': [CANARY],
    has_secret: true,
    secrets: 3,
  });
  const lines = tail.read(2).map(({ text }) => text);
  expect(lines).toHaveLength(1);
  for (const line of lines) {
    expect(line).not.toContain(CANARY);
    expect(JSON.parse(line)).toMatchObject({ has_secret: true, secrets: 3, secret: '[masked]' });
  }
});
