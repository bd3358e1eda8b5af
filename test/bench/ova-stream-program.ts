// One appliance that sends an OVA, in a process of its own so that its memory can be told. `floor`: read, hash and send, as
// plainly and as fast as can be. `rest`: nothing. `job`: what a deployment does, from the check of the manifest to the last
// disk, while the appliance answers. Arguments: mode, folder of the data, OVA, port and SHA-256 of the machine that takes it.
import { createHash } from 'node:crypto';
import { closeSync, openSync, read, readFileSync, writeFileSync } from 'node:fs';
import { type Agent, request } from 'node:https';
import { indexOva } from '../../shared/ground/ova/index-ova.ts';
import { uploadMembers } from '../../shared/ground/ova/uploads.ts';
import { verifyOva } from '../../shared/ground/ova/verify-ova.ts';
import { queueJob } from '../../shared/kernel/jobs/job.ts';
import { Life } from '../../shared/kernel/jobs/life.ts';
import { JobRun } from '../../shared/kernel/jobs/run.ts';
import { PIECE_BYTES } from '../../shared/vcf/deployment/pieces.ts';
import { LeasePulse } from '../../shared/vcf/deployment/pulse.ts';
import { streamMembers } from '../../shared/vcf/deployment/stream.ts';
import { uploadClient } from '../../shared/vcf/vsphere/upload-host.ts';
import { House } from '../setup/house.ts';

const [mode, data = '', path = '', port = '0', sha256 = ''] = process.argv.slice(2);
const house = await House.open({ data, fresh: true });
const { token } = await house.actor('admin');
const { services } = house;
const body = { allowed_networks: ['127.0.0.0/8'] };
await house.send('PATCH', '/api/v1/remote/settings', { token, body });
const target = { host: '127.0.0.1', port: Number(port), address: '127.0.0.1', sha256 };
const id = await services.store.write((tx) =>
  queueJob(tx, new Date(), services.entropy, {
    ...{ kind: 'none', subject: null, input: {}, created_by: 'bench' },
    tasks: ['verify', 'upload'].map((name) => ({ name, title: name })),
  }),
);
say('ready', { origin: house.origin, token, id, resident: process.memoryUsage().rss });
// What the start took is not counted: the high-water mark begins anew.
writeFileSync('/proc/self/clear_refs', '5');
const MODES: Record<string, () => Promise<object>> = { floor, job, rest };
const figures = await MODES[mode!]!();
say('done', { ...figures, peak: highest() });
await house.close(true);
process.exit(0);

function say(word: string, facts: object): void {
  process.stdout.write(`${JSON.stringify({ word, ...facts })}\n`);
}

function highest(): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
}

function seconds(from: number): number {
  return (performance.now() - from) / 1000;
}

/** Nothing, for a while. */
async function rest(): Promise<object> {
  await new Promise((resolve) => setTimeout(resolve, 4000));
  return { upload: 0, verify: 0 };
}

/**
 * One pass, one request for each disk, by hand: no stream that reads, no event for a piece, the same two buffers from the
 * first byte to the last. The next piece is read while this one is encrypted and sent, and hashed while the kernel still
 * takes this one.
 */
async function floor(): Promise<object> {
  const pkg = await indexOva(path);
  const buffers = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)] as const;
  const file = openSync(path, 'r');
  const began = performance.now();
  for (const { members, size } of uploadMembers(pkg)) {
    const { offset } = members[0]!;
    const hash = createHash('sha256');
    const outgoing = request({
      ...{ host: '127.0.0.1', port, method: 'POST', path: '/nfc/x/disk', rejectUnauthorized: false },
      ...{ agent: false as unknown as Agent, headers: { 'content-length': size } },
    });
    const answered = new Promise((resolve, reject) => {
      outgoing.on('response', (answer) => answer.resume().on('end', resolve)).on('error', reject);
    });
    const fill = (which: number, at: number): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        const buffer = buffers[which & 1]!;
        const length = Math.min(buffer.length, size - at);
        read(file, buffer, 0, length, offset + at, (error, count) =>
          error || count < length
            ? reject(error ?? new Error('the file ended early'))
            : resolve(buffer.subarray(0, count)),
        );
      });
    // More than its drain: when this resolves, the buffer is free again.
    const send = (piece: Buffer): Promise<void> =>
      new Promise((resolve, reject) => {
        outgoing.write(piece, (error) => (error ? reject(error) : resolve()));
      });
    let turn = 0;
    let coming = fill(turn, 0);
    let sent = Promise.resolve();
    for (let at = 0; at < size; ) {
      const piece = await coming;
      hash.update(piece);
      await sent;
      at += piece.length;
      turn += 1;
      if (at < size) coming = fill(turn, at);
      sent = send(piece);
    }
    await sent;
    outgoing.end();
    await answered;
    hash.digest();
  }
  closeSync(file);
  return { upload: seconds(began), verify: 0 };
}

async function job(): Promise<object> {
  const facts = { id, kind: 'none', subject: null, input: {}, created_by: 'bench', resumes: 0 };
  const run = new JobRun(services, facts, new Life(null, {}));
  await run.startTask('verify');
  const began = performance.now();
  const pkg = await verifyOva(path, {
    onProgress: (done_bytes, total_bytes) => void run.progress('verify', { done_bytes, total_bytes }),
  });
  const verify = seconds(began);
  await run.endTask('verify', 'succeeded');
  await run.startTask('upload');
  const sending = performance.now();
  const total_bytes = uploadMembers(pkg).reduce((sum, { size }) => sum + size, 0);
  let sent = 0;
  let told = 0;
  const percent = () => (100 * sent) / total_bytes;
  const pulse = new LeasePulse({ say: async () => undefined, percent, every_ms: 5000, timeout_seconds: 300 }).start();
  await streamMembers({
    pkg,
    files: uploadMembers(pkg).map(({ href, size }) => ({ device_id: href, path: href, size, create: false })),
    to: () =>
      uploadClient(services, target, {
        ...{ key: '', import_key: '', host: null, port: 443, path_with_ticket: '/nfc/x/disk' },
        ...{ thumbprint: null, certificate_pem: null, disk: true },
      }),
    signal: AbortSignal.any([run.signal, pulse.signal]),
    onProgress(done_bytes) {
      sent = done_bytes;
      if (performance.now() - told < 200) return;
      told = performance.now();
      void run.progress('upload', { done_bytes, total_bytes });
    },
  });
  pulse.stop();
  const upload = seconds(sending);
  await run.endTask('upload', 'succeeded');
  return { verify, upload };
}
