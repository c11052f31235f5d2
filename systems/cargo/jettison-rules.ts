/** Containers adrift as other domains use them. */
export { adriftFor } from './jettison.ts'
