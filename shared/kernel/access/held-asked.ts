/**
 * Header of a request for the page of a form: it is answered 423 while the form would be, for the moment in which a restore is
 * saved. For the script of the page, before it sends what was typed.
 */
export const HELD_ASKED = 'groundcrew-held';
