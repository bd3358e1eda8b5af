// What `bodies.ts` is held against. Here it says little; for the generated clients a strict one of the same name, made from the
// document, stands in its place, and the compiler compares each body with its operation.
export type Given = Readonly<Record<string, string>>;

/** By operation id. */
export type BodiesOf = Readonly<Record<string, (given: Given) => object>>;
