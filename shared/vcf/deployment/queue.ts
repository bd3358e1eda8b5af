// Queues a deployment, which owns the name of its machine at its target from then on.

import { instant } from '../../ground/clock.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { takeLock } from '../../kernel/access/mutation-lock.ts';
import { queueJob } from '../../kernel/jobs/job.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { serverText } from '../connection/target.ts';
import type { DeploymentRequest } from './request.ts';
import { DEPLOY_KIND, TASKS } from './tasks.ts';

/** What two deployments can't both have: a name at an address, however its host is spelled. */
export const lockOfName = ({ target, name }: Pick<DeploymentRequest, 'target' | 'name'>): string =>
  `machine ${target.address} ${target.port} ${name.normalize('NFC').toLowerCase()}`;

/** What it does, from the subject that queueDeployment writes: the target, then the name. */
export function deploymentWords(subject: string): string {
  const [server = '', ...name] = subject.split(' ');
  return `Deploy ${name.join(' ')} to ${server}`;
}

/**
 * Queues it in the caller's transaction; answers its id, under which its secrets are to be put into jobSecrets after that.
 * @throws Problem 423 while another deployment owns the name
 */
export async function queueDeployment(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  request: DeploymentRequest,
  created_by: string,
): Promise<string> {
  const subject = `${serverText(request.target)} ${request.name}`;
  const tasks = TASKS.map((task) => ({ ...task }));
  const job = { kind: DEPLOY_KIND, subject, input: { ...request }, created_by, tasks };
  const id = await queueJob(tx, clock.now(), entropy, job);
  await takeLock(tx, lockOfName(request), id, instant(clock.now()));
  return id;
}
