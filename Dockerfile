# Build with everything, ship with the least: the image holds the build, its production packages and nothing else.
ARG NODE=node:26.10.0-slim

FROM ${NODE} AS build
WORKDIR /site
COPY package.json package-lock.json ./
COPY scripts/empty-package scripts/empty-package
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM ${NODE}
WORKDIR /site
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /site/package.json ./
COPY --from=build /site/node_modules node_modules
COPY --from=build /site/scripts/empty-package scripts/empty-package
COPY --from=build /site/build build
COPY --from=build /site/public public
COPY --from=build /site/scripts/serve.mjs scripts/serve.mjs
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
CMD ["node", "scripts/serve.mjs"]
