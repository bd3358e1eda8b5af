// groundcrew user reset-password, and reset-second-factors.

import { endSessionsAndSignIns } from '../../shared/kernel/access/credentials.ts';
import { endedSessionsWords, endedWords, forAudit, inNumbers } from '../../shared/kernel/access/ended-words.ts';
import { hashPassword } from '../../shared/kernel/access/password.ts';
import { passwordFault } from '../../shared/kernel/access/password-rules.ts';
import { resetFactors } from '../../shared/kernel/access/second-factor/forget.ts';
import { listUsers, type User } from '../../shared/kernel/access/user.ts';
import { updateUser } from '../../shared/kernel/access/user-changes.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { type Command, change, Refusal, readArguments, Usage } from './command.ts';
import { askForPassword } from './password-prompt.ts';

/** 20 characters of base64url: 120 random bits. */
const GENERATED_BYTES = 15;

/** @throws Refusal naming the users that there are. */
export async function findByName(services: Services, name: string): Promise<User> {
  const { items } = await listUsers(services.store, { name, limit: 1 });
  if (items[0]) return items[0];
  const { items: users, next_cursor } = await listUsers(services.store);
  const names = users.map((each) => each.name).join(', ');
  throw new Refusal(`There is no user ${name}. There are: ${names}${next_cursor === null ? '' : ' and more'}.`);
}

export const resetPassword: Command = {
  parse(words) {
    const { values, positionals } = readArguments({
      args: words,
      options: { generate: { type: 'boolean', default: false }, 'keep-tokens': { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw new Usage('user reset-password takes the name of one user.');
    return async (services) => {
      const user = await findByName(services, name);
      const generated = values.generate ? services.entropy.bytes(GENERATED_BYTES).toString('base64url') : null;
      const password = generated ?? (await askForPassword(`New password for ${user.name}: `));
      const fault = await passwordFault(password, user.name);
      if (fault !== null) throw new Refusal(`The password was not changed: ${fault}`);
      const password_hash = await hashPassword(password);
      const update = { password_hash, keep_tokens: values['keep-tokens'] };
      const ended = await change(
        services,
        async (transaction) => {
          const { ended } = await updateUser(transaction, services, user.id, update, null);
          const detail = { name: user.name, changed: ['password'], ...forAudit(ended) };
          return {
            result: ended,
            event: { action: 'user.update', resource_type: 'user', resource_id: user.id, detail },
          };
        },
        // Getting back in must not wait for an apply that hangs.
        { holdsLock: true },
      );
      process.stderr.write(`The password of ${user.name} is changed. ${endedWords(inNumbers(ended))}\n`);
      if (!user.enabled) process.stderr.write(`User ${user.name} is disabled and still can't sign in.\n`);
      if (generated !== null) process.stdout.write(`${generated}\n`);
      return 0;
    };
  },
};

export const resetSecondFactors: Command = {
  parse(words) {
    const { positionals } = readArguments({ args: words, options: {}, allowPositionals: true });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) {
      throw new Usage('user reset-second-factors takes the name of one user.');
    }
    return async (services) => {
      const user = await findByName(services, name);
      const done = await change(
        services,
        async (transaction) => {
          const factors_removed = await resetFactors(transaction, user.id);
          const ended = await endSessionsAndSignIns(transaction, services, user.id, services.clock.now());
          const result = { factors_removed, ...ended };
          const detail = { name: user.name, ...result };
          return {
            result,
            event: { action: 'user.second_factors.reset', resource_type: 'user', resource_id: user.id, detail },
          };
        },
        // Getting back in must not wait for an apply that hangs.
        { holdsLock: true },
      );
      const { factors_removed, ...ended } = done;
      process.stderr.write(
        `Second factors of ${user.name} that were removed: ${factors_removed}. ${endedSessionsWords(ended)}\n`,
      );
      if (!user.enabled) process.stderr.write(`User ${user.name} is disabled and still can't sign in.\n`);
      return 0;
    };
  },
};
