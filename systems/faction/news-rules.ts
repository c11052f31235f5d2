/** Telling members of what other domains did for their faction. */
export { type FactionNews, tellFaction } from './tell.ts'
