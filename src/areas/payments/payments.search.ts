/** How many payments a search looks through at a time for a part of a text, the newest first. */
export const PAYMENTS_SEARCHED_MAX = 2_500
