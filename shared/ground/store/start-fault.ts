/** A fault that stops the start; its message is the one line that the operator reads. */
export class StartFault extends Error {}
