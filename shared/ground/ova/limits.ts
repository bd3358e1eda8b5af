// How much an OVA may ask of its reader. Real appliances stay below a tenth of each.

export const OVA_LIMITS = {
  members: 1000,
  /** Characters of a member's name. */
  name: 255,
  /** Bytes of one pax or long-name header, and of all in one archive. */
  extension: 64 * 1024,
  extensions: 1024 * 1024,
  /** Bytes of zeros behind the end mark: tar pads to its record size. */
  padding: 1024 * 1024,
  descriptor: 2 * 1024 * 1024,
  manifest: 256 * 1024,
  /** Bytes of the signature with its certificates, and how many these are. */
  signature: 64 * 1024,
  certificates: 10,
  /** Characters of a manifest's line. */
  line: 1024,
  depth: 40,
  /** Elements, comments and CDATA sections, all together. */
  elements: 10_000,
  /** Characters of a tag with its attributes; a value of vSphere has at most 65535. */
  tag: 128 * 1024,
  attributes: 64,
  attributes_all: 20_000,
  /** Entities and character references. */
  references: 50_000,
  properties: 500,
  /** Choices of all properties together. */
  choices: 5000,
  networks: 64,
  /** Characters of a property's full key, and of a value. */
  key: 255,
  value: 65_535,
} as const;
