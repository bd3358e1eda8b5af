// Takes the file of an import: it is whole on the disk before its job is queued, and goes when none was.
import { Problem } from '../../../../ground/problems.ts';
import type { Transaction } from '../../../../ground/store/database.ts';
import type { Actor } from '../../../../kernel/access/actor.ts';
import { behalfOf } from '../../../../kernel/access/behalf.ts';
import type { AuditEvent } from '../../../../kernel/audit/audit.ts';
import { openJobsAbout, openJobsOf } from '../../../../kernel/jobs/job.ts';
import type { Services } from '../../../../kernel/operation/services.ts';
import { IMPORT_KIND, queueImport } from './job.ts';
import { type RowsType, type SourceType, WAITING_MOST } from './limits.ts';
import { typeOf } from './rows.ts';
import { dropFile, keepFile, keptFile, textOfFile, type WaitingFile } from './waiting-file.ts';

export interface Taken {
  file: WaitingFile;
  type: SourceType;
  zone?: string;
  previewed?: string;
  queued: boolean;
  /** Removes the file unless a job has it. */
  leave(): Promise<void>;
}

/** @throws Problem 409 when as many wait as may, 507 when it does not fit */
export async function takeFile(services: Services, bytes: Buffer, type: RowsType): Promise<Taken> {
  if ((await openJobsOf(services.store, IMPORT_KIND)) >= WAITING_MOST) throw tooMany();
  const file = await keepFile(services, bytes);
  const taken: Taken = {
    file,
    type,
    queued: false,
    async leave() {
      // What was queued is not when its transaction failed.
      if (taken.queued && (await openJobsAbout(services.store, '$.file.name', file.name)).length > 0) return;
      await dropFile(services, file.name);
    },
  };
  return taken;
}

/** What a preview kept. It stays for another try unless a job has it. @throws Problem 409 when as many wait as may, or it is gone */
export async function takeKept(
  services: Services,
  name: string,
  { zone, previewed }: { zone: string; previewed: string },
): Promise<Taken> {
  if ((await openJobsOf(services.store, IMPORT_KIND)) >= WAITING_MOST) throw tooMany();
  const file = await keptFile(services, name);
  const type = typeOf(await textOfFile(services, name));
  return { file, type, zone, previewed, queued: false, leave: async () => undefined };
}

const tooMany = (): Problem =>
  new Problem('state_conflict', `${WAITING_MOST} imports have not ended yet. Wait for one of them, or stop it.`);

interface Shell {
  tx: Transaction;
  services: Services;
  actor: Actor;
  audit(event: AuditEvent): void;
}

/** Answers the id of the job. */
export async function queueTaken(
  { tx, services, actor, audit }: Shell,
  taken: Taken,
  check_only: boolean,
): Promise<string> {
  if ((await openJobsOf(tx, IMPORT_KIND)) >= WAITING_MOST) throw tooMany();
  const { queued: _queued, leave: _leave, ...input } = taken;
  const { file, type } = input;
  const job_id = await queueImport(tx, services, { ...input, check_only, behalf: behalfOf(actor), by: actor.name });
  taken.queued = true;
  const detail = { type, size_bytes: file.size_bytes, file_sha256: file.sha256, check_only, job_id };
  audit({ action: 'dns.record.queue_import', resource_type: 'dns_record', resource_id: null, detail });
  return job_id;
}
