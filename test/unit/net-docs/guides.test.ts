/** The page of guides: lists stay lists, and what is set apart is code. */
import { Window } from 'happy-dom'
import { expect, test } from 'vitest'
import { DRONE_SAMPLES } from '../../../core/catalog/guides/drone-samples.ts'
import { GUIDES } from '../../../core/catalog/guides.ts'
import { createRegistry } from '../../../core/registry.ts'
import { GUIDES_PAGE } from '../../../net/docs/guides-page.ts'
import { renderPieces } from '../../../net/docs/html.ts'
import { DOMAINS } from '../../../systems/registry.ts'

const registry = createRegistry(DOMAINS)
const joined = (text: string): string => text.replace(/\s+/g, ' ').trim()

async function shown(selector: string): Promise<string[]> {
  const { html } = await renderPieces(GUIDES_PAGE.pieces({ registry }), () => 0)
  const { document } = new Window()
  document.body.innerHTML = html
  return [...document.querySelectorAll(selector)].map(({ textContent }) => textContent)
}

/** List items as the guides write them: a marker, then indented lines up to the next one. */
const items = GUIDES.flatMap(({ content }) =>
  [...content.matchAll(/^(?:-|\d+\.) (.*(?:\n +\S.*)*)/gm)].map(([, text]) => joined(text)),
)

test('a list item is shown whole, with the lines it goes on with', async () => {
  expect(items.length).toBeGreaterThan(70)
  const listed = (await shown('li')).map(joined)
  expect(listed).toEqual(items)
})

test('what is set apart is code, and nothing else is', async () => {
  const blocks = await shown('pre')
  const sources = GUIDES.map(({ content }) => content).join('\n')
  for (const block of blocks)
    for (const line of block.trimEnd().split('\n')) expect(sources).toContain(`\n  ${line}`)
  const inItems = blocks.filter((block) => items.some((item) => item.endsWith(joined(block))))
  expect(inItems).toEqual([])
  expect(blocks.length).toBeGreaterThan(50)
})

test('a drone script is one block, whole', async () => {
  const blocks = (await shown('pre')).map((block) => block.trimEnd())
  for (const { id, script } of DRONE_SAMPLES)
    expect({ id, blocks }).toMatchObject({ blocks: expect.arrayContaining([script]) })
})
