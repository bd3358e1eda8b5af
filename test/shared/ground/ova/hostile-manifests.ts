// Manifests that must not be believed, each with the fault by which it has to be refused.
import { file, type Hostile, ova } from './parts.ts';

const digest = 'a'.repeat(64);

export const HOSTILE_MANIFESTS: readonly Hostile[] = [
  ['no manifest', 'manifest_missing', () => ova({ without: 'mf' })],
  ['two manifests', 'manifest_several', () => ova({ last: [file('other.mf')] })],
  ['a manifest of 300 KiB', 'manifest_too_large', () => ova({ manifest: (text) => text + '\n'.repeat(300 << 10) })],
  ['an empty manifest', 'manifest_incomplete', () => ova({ manifest: () => '' })],
  ['a manifest of garbage', 'manifest_encoding', () => ova({ manifest: () => Buffer.alloc(300, 0xfe) })],
  ['a manifest of words', 'manifest_line', () => ova({ manifest: (text) => `${text}what is this\n` })],
  [
    'a manifest with a line of 100 KiB',
    'manifest_line',
    () => ova({ manifest: (text) => `${text}SHA256(${'('.repeat(100 << 10)})= ${digest}\n` }),
  ],
  ['a manifest with MD5', 'manifest_algorithm', () => ova({ manifest: (text) => text.replaceAll('SHA256', 'MD5') })],
  [
    'a SHA-1 name before a SHA-256 digest',
    'manifest_digest',
    () => ova({ manifest: (text) => text.replace('SHA256', 'SHA1') }),
  ],
  ['a digest too short', 'manifest_digest', () => ova({ manifest: (text) => text.replace(/.\n/, '\n') })],
  ['a name listed twice', 'manifest_duplicate', () => ova({ manifest: (text) => text + text })],
  [
    'a listed file that is not there',
    'manifest_unknown',
    () => ova({ manifest: (text) => `${text}SHA256(gone.vmdk)= ${digest}\n` }),
  ],
  ['the descriptor not listed', 'manifest_incomplete', () => ova({ manifest: (text) => text.replace(/.*\n/, '') })],
  ['the disk not listed', 'manifest_incomplete', () => ova({ listed: {} })],
  [
    'another digest of the descriptor',
    'digest_mismatch',
    () => ova({ manifest: (text) => text.replace(/[0-9a-f]{64}/, digest) }),
  ],
  ['another digest of the disk', 'digest_mismatch', () => ova({ listed: { 'box-disk1.vmdk': Buffer.from('other') } })],
];
