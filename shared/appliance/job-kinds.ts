// The kinds of jobs that this program can run.

import type { JobKind } from '../kernel/jobs/kind.ts';
import { rotateJob } from '../platform/vaults/rotate-job.ts';
import { importJob } from '../services/dns-dhcp/dns/import/job.ts';
import { unpackJob } from '../services/network-boot/esxi-media/unpack-job.ts';
import { uploadJob } from '../services/offline-depot/uploads/upload-job.ts';
import { automationLdapJob } from '../vcf/automation-ldap/job.ts';
import { mountJob } from '../vcf/datastore-mount/job.ts';
import { deployJob } from '../vcf/deployment/job.ts';
import { keyProviderJob } from '../vcf/key-provider/job.ts';
import { trustJob } from '../vcf/remote/trust-job.ts';
import { depotJob } from '../vcf/remote-depot/job.ts';
import { scimJob } from '../vcf/scim/job.ts';
import { applyJob } from './apply/apply-job.ts';
import { scheduleJob } from './archive/schedule/job.ts';

export const JOB_KINDS: readonly JobKind[] = [
  applyJob,
  unpackJob,
  rotateJob,
  trustJob,
  uploadJob,
  depotJob,
  keyProviderJob,
  automationLdapJob,
  mountJob,
  deployJob,
  scheduleJob,
  scimJob,
  importJob,
];
