/** The shape of a guide. */
export interface GuideRow {
  readonly id: string
  readonly title: string
  /** One sentence, for the list of guides. */
  readonly description: string
  /** Plain text with headings; read by people and by agents. */
  readonly content: string
}
