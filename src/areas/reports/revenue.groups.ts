/** How many groups of its own an answer shows at most. */
export const REVENUE_GROUPS_MAX = 1_000

/** Key of what is not in a group of its own. */
export const OTHER = 'other'
