/** How many payments a search looks through for a part of a text: the newest that its other filters leave. */
export const PAYMENTS_SEARCHED_MAX = 2_500
