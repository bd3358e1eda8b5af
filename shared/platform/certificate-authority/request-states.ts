// What can become of a certificate request.
export const REQUEST_STATES = ['pending', 'approved', 'refused'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];
