// groundcrew user reset-password.
import * as v from 'valibot';
import { passwordSchema } from '../../shared/access/schemas.ts';
import { acceptPassword, listUsers, type User, updateUser } from '../../shared/access/user.ts';
import { OUR_WORDS } from '../../shared/operation/sentences.ts';
import type { Services } from '../../shared/operation/services.ts';
import { type Command, change, Refusal, readArguments, Usage } from './command.ts';
import { askForPassword } from './password-prompt.ts';

/** 20 characters of base64url: 120 random bits. */
const GENERATED_BYTES = 15;

/** @throws Refusal naming the users that there are. */
export async function findByName(services: Services, name: string): Promise<User> {
  const { items: users } = await listUsers(services.store);
  const user = users.find((each) => each.name === name);
  if (!user) throw new Refusal(`There is no user ${name}. There are: ${users.map((each) => each.name).join(', ')}.`);
  return user;
}

export const resetPassword: Command = {
  parse(words) {
    const { values, positionals } = readArguments({
      args: words,
      options: { generate: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw new Usage('user reset-password takes the name of one user.');
    return async (services) => {
      const user = await findByName(services, name);
      const generated = values.generate ? services.entropy.bytes(GENERATED_BYTES).toString('base64url') : null;
      const password = generated ?? (await askForPassword(`New password for ${user.name}: `));
      const checked = v.safeParse(passwordSchema, password, { abortPipeEarly: true, ...OUR_WORDS });
      if (!checked.success) throw new Refusal(`The password was not changed: ${checked.issues[0].message}`);
      const password_hash = await acceptPassword(password, user.name);
      await change(
        services,
        async (transaction) => {
          await updateUser(transaction, services, user.id, { password_hash }, null);
          const detail = { name: user.name, changed: ['password'] };
          return {
            result: null,
            event: { action: 'user.update', resource_type: 'user', resource_id: user.id, detail },
          };
        },
        // Getting back in must not wait for an apply that hangs.
        { holdsLock: true },
      );
      process.stderr.write(`The password of ${user.name} is changed; the user's sessions have ended.\n`);
      if (!user.enabled) process.stderr.write(`User ${user.name} is disabled and still can't sign in.\n`);
      if (generated !== null) process.stdout.write(`${generated}\n`);
      return 0;
    };
  },
};
