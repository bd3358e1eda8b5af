// The numbers of KMIP that this server reads and writes (OASIS KMIP Specification 1.4, section 9.1.3).

/** Tags (9.1.3.1). */
export const TAG = {
  activationDate: 0x420001,
  attribute: 0x420008,
  attributeIndex: 0x420009,
  attributeName: 0x42000a,
  attributeValue: 0x42000b,
  batchCount: 0x42000d,
  batchErrorContinuation: 0x42000e,
  batchItem: 0x42000f,
  compromiseDate: 0x420020,
  compromiseOccurrence: 0x420021,
  algorithm: 0x420028,
  length: 0x42002a,
  usageMask: 0x42002c,
  deactivationDate: 0x42002f,
  keyBlock: 0x420040,
  keyCompression: 0x420041,
  keyFormat: 0x420042,
  keyMaterial: 0x420043,
  keyValue: 0x420045,
  keyWrapping: 0x420046,
  keyWrappingWanted: 0x420047,
  maximumItems: 0x42004f,
  name: 0x420053,
  nameType: 0x420054,
  nameValue: 0x420055,
  objectType: 0x420057,
  operation: 0x42005c,
  version: 0x420069,
  versionMajor: 0x42006a,
  versionMinor: 0x42006b,
  queryFunction: 0x420074,
  requestHeader: 0x420077,
  request: 0x420078,
  requestPayload: 0x420079,
  responseHeader: 0x42007a,
  response: 0x42007b,
  responsePayload: 0x42007c,
  resultMessage: 0x42007d,
  resultReason: 0x42007e,
  resultStatus: 0x42007f,
  revocationReason: 0x420081,
  revocationCode: 0x420082,
  symmetricKey: 0x42008f,
  templateAttribute: 0x420091,
  timeStamp: 0x420092,
  batchId: 0x420093,
  id: 0x420094,
  vendor: 0x42009d,
  offsetItems: 0x4200d4,
  locatedItems: 0x4200d5,
} as const;

/** Operations (9.1.3.2.27). */
export const OPERATION = {
  Create: 0x01,
  Register: 0x03,
  Locate: 0x08,
  Get: 0x0a,
  GetAttributes: 0x0b,
  GetAttributeList: 0x0c,
  AddAttribute: 0x0d,
  ModifyAttribute: 0x0e,
  DeleteAttribute: 0x0f,
  Activate: 0x12,
  Revoke: 0x13,
  Destroy: 0x14,
  Query: 0x18,
  DiscoverVersions: 0x1e,
} as const;
export type OperationName = keyof typeof OPERATION;

const NAMES = new Map<number, OperationName>(
  Object.entries(OPERATION).map(([name, code]) => [code, name as OperationName]),
);
export const operationNamed = (code: number): OperationName | undefined => NAMES.get(code);

/** Result reasons (9.1.3.2.29). */
export const REASON = {
  itemNotFound: 0x01,
  invalidMessage: 0x04,
  operationNotSupported: 0x05,
  missingData: 0x06,
  invalidField: 0x07,
  featureNotSupported: 0x08,
  cryptographicFailure: 0x0a,
  illegalOperation: 0x0b,
  permissionDenied: 0x0c,
  keyFormatNotSupported: 0x10,
  keyCompressionNotSupported: 0x11,
  generalFailure: 0x100,
} as const;

/** Result status (9.1.3.2.28). */
export const STATUS = { success: 0, failed: 1 } as const;

/** States of an object (9.1.3.2.18, 3.22). */
export const STATES = { 'pre-active': 1, active: 2, deactivated: 3, compromised: 4 } as const;
export type KeyState = keyof typeof STATES;

/** Object type Symmetric Key (9.1.3.2.12), key format Raw (9.1.3.2.3), algorithm AES (9.1.3.2.13). */
export const SYMMETRIC_KEY = 2;
export const RAW = 1;
export const AES = 3;
/** Revocation reason codes (9.1.3.2.19) after which a key is compromised: Key Compromise, CA Compromise. */
export const COMPROMISING: readonly number[] = [2, 3];
/** Batch error continuation option Undo (9.1.3.2.30). */
export const UNDO = 3;
